// Errors in messages between a worker and the page: they arrive with their class.

import { XylemError } from '../stream/xylem-error.ts'

/** An error as plain data. `isOurs`: it is one of xylem's, as its `toJSON` gives it. */
export interface ErrorData {
  readonly isOurs: boolean
  readonly name: string
  readonly message: string
  readonly [field: string]: unknown
}

/** The classes of wrong use, and what else may be thrown. */
const classes: Readonly<Record<string, new (message: string) => Error>> = { TypeError, RangeError, SyntaxError }

export function toErrorData(error: unknown): ErrorData {
  if (error instanceof XylemError) return { ...error.toJSON(), isOurs: true }
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), isOurs: false }
  const { name, message, stack } = error
  const { code } = error as { code?: unknown }
  return { name, message, stack, ...(typeof code === 'string' ? { code } : {}), isOurs: false }
}

export function fromErrorData({ isOurs, ...data }: ErrorData): Error {
  if (isOurs) return XylemError.fromJSON(data as Omit<ErrorData, 'isOurs'>)
  const { name, message, stack, ...fields } = data as Omit<ErrorData, 'isOurs'>
  const error = new (classes[name] ?? Error)(message)
  if (error.name !== name) error.name = name
  if (stack !== undefined) Object.defineProperty(error, 'stack', { value: stack, configurable: true, writable: true })
  return Object.assign(error, fields)
}

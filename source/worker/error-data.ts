// Errors in messages between a worker and the page: they arrive with their class.

import { type ErrorJson, XylemError } from '../stream/xylem-error.ts'

/** An error as plain data, and whether it is one of xylem's. */
export interface ErrorData {
  readonly isOurs: boolean
  readonly json: ErrorJson
}

/** The classes of wrong use, and what else may be thrown. */
const classes: Readonly<Record<string, new (message: string) => Error>> = { TypeError, RangeError, SyntaxError }

export function toErrorData(error: unknown): ErrorData {
  if (error instanceof XylemError) return { isOurs: true, json: error.toJSON({ stack: true }) }
  if (!(error instanceof Error)) return { isOurs: false, json: { name: 'Error', message: String(error) } }
  const { name, message, stack } = error
  const { code } = error as { code?: unknown }
  return { isOurs: false, json: { name, message, stack, ...(typeof code === 'string' ? { code } : {}) } }
}

export function fromErrorData({ isOurs, json }: ErrorData): Error {
  if (isOurs) return XylemError.fromJSON(json)
  const { name, message, stack, ...fields } = json
  const error = new (classes[name] ?? Error)(message)
  if (error.name !== name) error.name = name
  if (stack !== undefined) Object.defineProperty(error, 'stack', { value: stack, configurable: true, writable: true })
  return Object.assign(error, fields)
}

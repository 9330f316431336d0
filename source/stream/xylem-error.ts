// The base of all errors about what is read.

/** An error as plain data, which survives JSON and messages between threads. */
export interface ErrorJson {
  /** The name of its class. */
  readonly name: string
  readonly message: string
  readonly stack?: string | undefined
  /** The cause: an error as plain data, or another value as it is. */
  readonly cause?: unknown
  /** The fields of the class: `code`, the place, and what else it has. */
  readonly [field: string]: unknown
}

const prototypes = new Map<string, object>()
/** Fields whose content the message has. An error that nobody catches is printed with all fields that can be enumerated. */
const UNPRINTED = ['detail', 'problems'] as const

/**
 * What was read is wrong or too large, a source failed, or a grammar cannot be used. Wrong use of xylem is a `TypeError` or a `RangeError` instead,
 * which has a `code` too.
 */
export abstract class XylemError extends Error {
  /** Stable name of what is wrong. */
  abstract readonly code: string
  /** Where in the input, in bytes from its start, from 0. Undefined where the error has no place in it. */
  declare readonly byteOffset?: number | undefined
  /** Line, from 1. Undefined where lines are not counted. */
  declare readonly line?: number | undefined
  /** Column in UTF-16 units, from 1. Undefined like `line`. */
  declare readonly column?: number | undefined

  /** The error as plain data, with its stack and those of its causes if `stack` is true. `JSON.stringify` calls it, and gets no stack: it names files of the program. */
  toJSON(options: { readonly stack?: boolean | undefined } = {}): ErrorJson {
    return toPlainData(this, options.stack === true)
  }

  /**
   * The error that `toJSON` gave as plain data, with its class, its message, its cause, and the stack if it has one. The class is one that is loaded here: import the module
   * that throws it. Throws a `TypeError` with the code `invalid-error` for anything else.
   */
  static fromJSON(data: ErrorJson): XylemError {
    const error = isErrorData(data) ? toError(data) : undefined
    if (error instanceof XylemError) return error
    const message = 'not the data of an error of xylem, or of a class that is not loaded'
    throw Object.assign(new TypeError(message), { code: 'invalid-error' })
  }

  /**
   * Sets the fields that are known: a field that is undefined would be printed too.
   *
   * @internal
   */
  protected setFields(fields: object): void {
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) setField(this, name, value)
  }

  /**
   * Makes a class known to `fromJSON` by the name that its errors have: a bundler may rename the class itself. All it knows must be in public fields.
   *
   * @internal
   */
  protected static register(name: string, { prototype }: { prototype: XylemError }): void {
    prototypes.set(name, prototype)
  }
}

function toPlainData(error: Error, hasStack: boolean): ErrorJson {
  const { name, message, stack, cause } = error
  const data: Record<string, unknown> = { ...error }
  for (const field of UNPRINTED) if (field in error) data[field] = Reflect.get(error, field)
  if (hasStack) data.stack = stack
  return { ...data, name, message, ...(cause === undefined ? {} : { cause: plainCause(cause, hasStack) }) }
}

function plainCause(cause: unknown, hasStack: boolean): unknown {
  if (cause instanceof Error) return toPlainData(cause, hasStack)
  return cause !== null && (typeof cause === 'object' || typeof cause === 'function') ? String(cause) : cause
}

function isErrorData(value: unknown): value is ErrorJson {
  const { name, message } = (value ?? {}) as Partial<ErrorJson>
  return typeof name === 'string' && typeof message === 'string'
}

/** Errors of other classes, which causes may be, become plain ones of the same name. */
function toError({ message, stack, cause, ...fields }: ErrorJson): Error {
  const error = new Error(
    message,
    isErrorData(cause) ? { cause: toError(cause) } : cause === undefined ? {} : { cause },
  )
  const prototype = prototypes.get(fields.name)
  if (prototype) Object.setPrototypeOf(error, prototype)
  if (stack !== undefined) Object.defineProperty(error, 'stack', { value: stack, configurable: true, writable: true })
  for (const [name, value] of Object.entries(fields)) setField(error, name, value)
  return error
}

/** Not an assignment: errors of JavaScriptCore have a line and a column of their own, which are not enumerable and would stay so. */
function setField(error: Error, name: string, value: unknown): void {
  const enumerable = !UNPRINTED.some((field) => field === name)
  Object.defineProperty(error, name, { value, enumerable, configurable: true, writable: true })
}

// Values as JSON, however deep they are: engines write nested objects by recursion, and the stack ends after some thousand levels.

/** An object or array that is being written, and which of its values is next. */
interface Open {
  readonly object: object
  readonly end: ']' | '}'
  /** The names of its values; undefined for an array. */
  readonly names: readonly string[] | undefined
  readonly values: readonly unknown[]
  next: number
  isEmpty: boolean
}

/** UTF-16 units that are put together before they are passed on. */
const PIECE = 64 * 1024
/** Bytes of input of a node whose data are not made at once. */
const LARGE = 1024 * 1024

/**
 * What `JSON.stringify` makes of plain data, at any depth; of a bigint, its digits. `absent`: what is written for a value of an object that is undefined; otherwise it is left
 * out. Throws what `JSON.stringify` throws for a text that is longer than a string can be, and a `TypeError` for an object or array that is in itself.
 */
export function formatJson(value: unknown, absent?: null, dataOf?: DataOf): string {
  try {
    return JSON.stringify(value, absent === null ? nullIfAbsent : undefined)
  } catch {
    // There is no other way to know that the stack was too small for it, that it has a bigint, or is in itself: engines have names of their own for these errors.
    return Array.from(formatDeep(value, absent, dataOf)).join('')
  }
}

/** A node of a tree whose data are those of the nodes in it. Its place in the input says how large it is. */
interface TreeNode {
  readonly start: number
  readonly end: number
  toJSON(): unknown
}

/** Gives the data of an object that has `toJSON`, with those in it as they are. */
type DataOf = { make(node: object): object }['make']

/** What `formatJson` makes of a node, in pieces. Data of all nodes in a large one would take much memory. */
export function* formatPieces(node: TreeNode, dataOf: DataOf): Generator<string, void, undefined> {
  if (node.end - node.start < LARGE) yield formatJson(node, undefined, dataOf)
  else yield* formatDeep(node, undefined, dataOf)
}

/**
 * What `formatJson` would make of an object with these keys and values if it had them in this order. In objects of JavaScript, names that are whole
 * numbers come before all others.
 */
export function formatObject(keys: readonly string[], values: readonly unknown[], absent?: null): string {
  if (areInOrder(keys)) {
    const object: Record<string, unknown> = {}
    for (let i = 0; i < keys.length; i++) object[keys[i] as string] = values[i]
    return formatJson(object, absent)
  }
  const members = keys.flatMap((key, i) => {
    const value = values[i] === undefined ? absent : values[i]
    return value === undefined ? [] : `${JSON.stringify(key)}:${formatJson(value, absent)}`
  })
  return `{${members.join()}}`
}

/** Whether keys are those of an object of JavaScript in their order, by their arrays: those of records are the same for all of them. */
const inOrder = new WeakMap<readonly string[], boolean>()

function areInOrder(keys: readonly string[]): boolean {
  let are = inOrder.get(keys)
  if (are === undefined) {
    are = new Set(keys).size === keys.length && !keys.some((key) => /^\d|^__proto__$/.test(key))
    inOrder.set(keys, are)
  }
  return are
}

function nullIfAbsent(_name: string, value: unknown): unknown {
  return value === undefined ? null : value
}

function* formatDeep(
  root: unknown,
  absent: null | undefined,
  dataOf: DataOf = (node) => node,
): Generator<string, void, undefined> {
  let text = ''
  const open: Open[] = []
  const openObjects = new Set<object>()
  const write = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || value instanceof Date) {
      text += typeof value === 'bigint' ? value : (JSON.stringify(value) ?? 'null')
      return
    }
    if (openObjects.has(value)) throw inItself(open.map(({ names, next }) => names?.[next - 1] ?? next - 1))
    openObjects.add(value)
    const data = 'toJSON' in value ? dataOf(value) : value
    const isList = Array.isArray(data)
    text += isList ? '[' : '{'
    open.push({
      object: value,
      end: isList ? ']' : '}',
      names: isList ? undefined : Object.keys(data),
      values: isList ? data : Object.values(data),
      next: 0,
      isEmpty: true,
    })
  }
  write(root)
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const { names, values, next } = top
    if (next === values.length) {
      text += top.end
      open.pop()
      openObjects.delete(top.object)
      continue
    }
    top.next++
    const value = values[next] === undefined && names ? absent : values[next]
    if (value === undefined && names) continue
    if (!top.isEmpty) text += ','
    top.isEmpty = false
    if (names) text += `${JSON.stringify(names[next])}:`
    write(value)
    if (text.length < PIECE) continue
    yield text
    text = ''
  }
  yield text
}

/** The error for an object or array that is in itself, and would be written without end. `names`: of its place, the outermost first. */
export function inItself(names: readonly (string | number)[]): TypeError {
  return new TypeError(`the value at ${names.join('.')} is in itself`)
}

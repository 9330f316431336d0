// What is wanted of each element, as options say it: fields, as a shape of the library.
//
//   title                      the field `title`, by a path                tags[]=tag          all values
//   text=revision/text         with a name of its own                      size:integer=@size  of a kind
//   cases[].name=testcase/@name, cases[].time=testcase/@time               one list of records, of each `testcase`

import { KIND_NAMES, splitKind } from '../../record/kinds.ts'
import { findNearest } from '../../stream/nearest.ts'
import { isName } from '../../text/markup/xml-characters.ts'
import { splitSteps } from '../../xml/question/path.ts'
import type { FieldShape, ValueKind, XmlShape } from '../../xml/question/shape.ts'
import { UsageError } from '../errors/errors.ts'

/** A field as it is given. */
interface GivenField {
  /** The lists of records that it lies in, the outermost first. */
  readonly lists: readonly string[]
  readonly name: string
  /** Whether all values are wanted. */
  readonly isList: boolean
  readonly kind: string | undefined
  /** From the element, or from that of the innermost list that is left out in `lists`. */
  readonly path: string
}

type Shape = XmlShape[string]

const NAME = '[^=[\\]{}@/]+'
const KIND = '\\w+(?:\\([\\d,]*\\))?'
const GIVEN_KIND = new RegExp(`^(.+):(${KIND})$`, 'su')
const FIELD = new RegExp(`^((?:${NAME}\\[\\]\\.)*)(${NAME})(\\[\\])?(?::(${KIND}))?=(.*)$`, 'su')
/** The element of a list itself, as the last step of a path. */
const ITSELF = '.'

/** The shape of fields, in their order. Throws a `UsageError` for names and lists that are not valid; what is wrong with a path the library says. */
export function shapeOfFields(texts: readonly string[]): Map<string, Shape> {
  return shapeOf(texts.map(readField), '')
}

/** What prefixes stand for. Throws a `UsageError` for anything but `prefix=URI`. */
export function readPrefixes(texts: readonly string[]): Record<string, string> {
  const prefixes = new Map<string, string>()
  for (const text of texts) {
    const [, prefix = '', uri] = /^([^=]*)=(.*)$/su.exec(text) ?? []
    if ((prefix !== '' && !isName(prefix)) || prefix.includes(':') || uri === undefined)
      throw new UsageError(
        `--prefix ${text}: it must be a prefix and what it stands for: atom=http://www.w3.org/2005/Atom`,
      )
    if (prefixes.has(prefix)) throw new UsageError(`--prefix ${text}: the prefix ${prefix} is given twice`)
    prefixes.set(prefix, uri)
  }
  return Object.fromEntries(prefixes)
}

function readField(text: string): GivenField {
  // What is left without conditions and namespaces.
  const plain = text.replace(/\[(?:"[^"]*"|'[^']*'|[^\]])*\]|\{[^}]*\}|:\w+\([\d,]*\)/g, '')
  if (plain.includes(','))
    throw new UsageError(`--field ${text}: each field has an option of its own: --field id --field title`)
  const [, lists, given = '', brackets, word, path = ''] = FIELD.exec(text) ?? []
  if (lists === undefined) {
    if (plain.includes('='))
      throw new UsageError(
        `--field ${text}: expected name=path, name[]=path for a list, or list[].name=path for a list of records`,
      )
    const path = text.replace(/\[\]$/, '')
    return { lists: [], name: path, isList: path !== text, kind: undefined, path }
  }
  const { name, kind } = word === undefined ? readKind(given, path, text) : { name: given, kind: findKind(word, text) }
  return { lists: lists.split('[].').slice(0, -1), name, isList: brackets !== undefined, kind, path }
}

/** A name, and the kind after its colon. The colon belongs to the name where the path ends with it, as in `dc:date=dc:date`, and where no kind can be meant. */
function readKind(given: string, path: string, text: string): { name: string; kind?: string | undefined } {
  const [, name, word] = GIVEN_KIND.exec(given) ?? []
  if (name === undefined || word === undefined || path.endsWith(given)) return { name: given }
  const isMeant =
    KIND_NAMES.some((kind) => kind === splitKind(word).as) || (!path.includes(word) && nearestKind(word) !== undefined)
  return isMeant ? { name, kind: findKind(word, text) } : { name: given }
}

/** What to write for one of some fields whose path ends with a kind, as `id:integer` does; undefined if there is none. It is a path like any other where it finds something. */
export function findMeantKind(names: readonly string[]): string | undefined {
  const name = names.find((one) => KIND_NAMES.some((kind) => one.endsWith(`:${kind}`)))
  return name && `for a value of a kind, write --field ${name}=${name.slice(0, name.lastIndexOf(':'))}`
}

function findKind(word: string, text: string): string {
  if (KIND_NAMES.some((one) => one === splitKind(word).as)) return word
  const nearest = nearestKind(word)
  const advice = nearest === undefined ? `expected one of ${KIND_NAMES.join(', ')}` : `did you mean ${nearest}?`
  throw new UsageError(`--field ${text}: unknown kind ${word}: ${advice}`)
}

/** What other languages call kinds. */
const FOREIGN: ReadonlyMap<string, ValueKind> = new Map([
  ['float', 'number'],
  ['double', 'number'],
  ['long', 'int64'],
  ['bigint', 'int64'],
  ['datetime', 'date'],
  ['timestamp', 'date'],
])

/** The kind that a word may stand for: one that it begins, such as `int`, one with another name, or one that it is like. */
function nearestKind(word: string): string | undefined {
  return (
    KIND_NAMES.find((kind) => word.length > 2 && kind.startsWith(word)) ??
    FOREIGN.get(word) ??
    findNearest(word, KIND_NAMES)
  )
}

/** `around`: the lists that it lies in, for messages. */
function shapeOf(fields: readonly GivenField[], around: string): Map<string, Shape> {
  const groups = new Map<string, GivenField[]>()
  for (const field of fields) {
    const name = field.lists[0] ?? field.name
    groups.set(name, [...(groups.get(name) ?? []), field])
  }
  const shape = new Map<string, Shape>()
  for (const [name, group] of groups) {
    const single = group.find(({ lists }) => lists.length === 0)
    if (single && group.length > 1) throw new UsageError(`the field name ${around}${name} is used twice`)
    shape.set(name, single ? fieldOf(single) : [recordOf(`${around}${name}[]`, group)])
  }
  return shape
}

function fieldOf({ isList, kind, path }: GivenField): Shape {
  const value: FieldShape =
    kind === undefined ? path : ({ ...(path !== '' && { path }), ...splitKind(kind) } as FieldShape)
  return isList ? [value] : value
}

/** A record of a list. It is made of the element that the paths of its fields have in common. */
function recordOf(list: string, group: readonly GivenField[]): FieldShape {
  const all = group.map(({ path }) => stepsOf(path))
  // What has no path, such as the rest, is of any element.
  const begun = all.flatMap((steps, i) => {
    const { lists, path } = group[i] as GivenField
    // Each list in it, and the value, needs a step.
    return path === '' ? [] : [allBut(steps, lists.length)]
  })
  const common = commonSteps(begun)
  if (common.length === 0) throw new UsageError(nothingInCommon(list, group))
  const fields = group.map((field, i) => {
    const path = joinSteps((all[i] as readonly string[]).slice(common.length))
    return { ...field, lists: field.lists.slice(1), path }
  })
  return { of: joinSteps(common), fields: Object.fromEntries(shapeOf(fields, `${list}.`)) }
}

function nothingInCommon(list: string, group: readonly GivenField[]): string {
  const paths = [...new Set(group.map(({ path }) => path))]
  const [own = ''] = paths.filter((path) => isName(path))
  const advice = paths.every((path) => stepsOf(path)[0] === own)
    ? `for the text of ${own} itself, write ${own}/${ITSELF}`
    : 'begin each with the same element'
  return `the fields of ${list} have no element in common that the records could be made of: ${paths.join(', ')}; ${advice}`
}

/** The steps of a path. Throws a `UsageError` for one that begins or ends where no path of a field does. */
export function stepsOf(path: string): readonly string[] {
  const written = path.replace(/^\.(?=\/\/)/, '')
  const steps = splitSteps(written)
  if (joinSteps(steps) !== written)
    throw new UsageError(
      `invalid path "${path}": the path of a field in a list starts at the element, and neither begins nor ends with "/"`,
    )
  return steps
}

/** An empty step is between two slashes. */
export function joinSteps(steps: readonly string[]): string {
  return `${steps[0] === '' ? '/' : ''}${steps.join('/')}`
}

/** Without the last steps, and without slashes before them. */
export function allBut(steps: readonly string[], count: number): readonly string[] {
  let end = steps.length
  for (let left = count; left > 0 && end > 0; end--) if (steps[end - 1] !== '') left--
  while (steps[end - 1] === '') end--
  return steps.slice(0, end)
}

function commonSteps([first = [], ...others]: readonly (readonly string[])[]): readonly string[] {
  const differs = first.findIndex((step, i) => others.some((steps) => steps[i] !== step))
  return allBut(first.slice(0, differs === -1 ? first.length : differs), 0)
}

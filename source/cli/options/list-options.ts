// Lists on the command line: their items, or @ and the name of a file that has one on each line.

import { InvalidArgumentError } from 'commander'
import type { NumberRange } from '../../mediawiki/lines/filter-conditions.ts'
import { UsageError } from '../errors/errors.ts'
import { normalizeTitle, parseList } from './option-values.ts'

const LINE_FEED = 0x0a
/** UTF-16 units of a bad line that a message quotes. */
const LONGEST_QUOTE = 80

/** The name of an input that has a list. */
interface ListFile {
  readonly file: string
}

/** The lists as they are given. */
export interface GivenLists {
  ids?: readonly NumberRange[] | ListFile
  titles?: readonly string[] | ListFile
}

/** The lists as they are used. */
interface Lists {
  ids?: readonly NumberRange[]
  titles?: readonly string[]
}

/** Ranges such as `7`, `1-1000` and `2000-`, separated by commas, or `@FILE`. */
export function parseIds(text: string, before?: GivenLists['ids']): NonNullable<GivenLists['ids']> {
  return parseItems(text, before, () => parseList(text).map(requireRange))
}

/** Titles separated by `|`, which no title contains, or `@FILE`. A list that begins with `|` is not a file. */
export function parseTitles(text: string, before?: GivenLists['titles']): NonNullable<GivenLists['titles']> {
  return parseItems(text, before, () => {
    const titles = text.replace(/^\|/, '').split('|').map(normalizeTitle)
    if (titles.includes('')) throw new InvalidArgumentError('It must be a list of titles separated by |.')
    return titles
  })
}

/** The files that lists stand in. */
export function listFiles({ ids, titles }: GivenLists): string[] {
  return [ids, titles].flatMap((list) => (list && 'file' in list ? list.file : []))
}

/** A range such as `7`, `1-1000` or `2000-`; undefined for anything else, and where the end is less than the start. */
function parseRange(text: string): NumberRange | undefined {
  const [, first, dash, last] = /^(\d+)(-)?(\d*)$/.exec(text) ?? []
  if (first === undefined || (dash === undefined && last !== '')) return undefined
  const end = dash === undefined ? Number(first) : last === '' ? Number.MAX_SAFE_INTEGER : Number(last)
  return end < Number(first) ? undefined : { first: Number(first), last: end }
}

function requireRange(part: string): NumberRange {
  const range = parseRange(part)
  if (range) return range
  throw new InvalidArgumentError(
    /^\d+-\d+$/.test(part)
      ? `The end of the range ${part} is less than its start.`
      : 'It must be a list of numbers and ranges, such as 7,100-200,5000-, or @ and the name of a file.',
  )
}

/** A file, or items after those of the same option before it. */
function parseItems<Item>(
  text: string,
  before: readonly Item[] | ListFile = [],
  parse: () => readonly Item[],
): readonly Item[] | ListFile {
  const file = text.startsWith('@') && text.length > 1 ? text.slice(1) : undefined
  if (file === undefined && !('file' in before)) return [...before, ...parse()]
  if (file === undefined || 'file' in before || before.length > 0)
    throw new InvalidArgumentError('A list in a file is the only one: the option cannot be repeated.')
  return { file }
}

/** Options with the lists that stand in files. Throws an `InputError` for a file that cannot be read, and a `UsageError` for a bad line in it. */
export async function readLists<Options extends GivenLists>(
  options: Options,
  signal: AbortSignal,
): Promise<Omit<Options, keyof Lists> & Lists> {
  const { ids, titles, ...others } = options
  const lists: Lists = {}
  if (ids) lists.ids = 'file' in ids ? await readList(ids, signal, parseRange, 'an id or a range of ids') : ids
  if (titles) lists.titles = 'file' in titles ? await readList(titles, signal, normalizeTitle, 'a title') : titles
  return { ...others, ...lists }
}

async function readList<Item>(
  { file }: ListFile,
  signal: AbortSignal,
  parse: (line: string) => Item | undefined,
  noun: string,
): Promise<Item[]> {
  const { readSmallInput } = await import('../inputs/read-inputs.ts')
  const { name, bytes } = await readSmallInput(file, signal)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const items: Item[] = []
  for (let start = 0, number = 1; start < bytes.length; number++) {
    const lineFeed = bytes.indexOf(LINE_FEED, start)
    const end = lineFeed === -1 ? bytes.length : lineFeed
    const line = decode(bytes.subarray(start, end), decoder)
    start = end + 1
    if (line === '') continue
    const item = line === undefined ? undefined : parse(line)
    if (item === undefined) {
      const found = line === undefined ? 'it is not UTF-8' : line.slice(0, LONGEST_QUOTE)
      throw new UsageError(`${name}: line ${number} is not ${noun}: ${found}`)
    }
    items.push(item)
  }
  if (items.length === 0) throw new UsageError(`${name}: the list is empty`)
  return items
}

/** A line without the spaces around it, and without a byte order mark; undefined where it is not UTF-8. */
function decode(line: Uint8Array, decoder: TextDecoder): string | undefined {
  try {
    return decoder.decode(line).trim()
  } catch {
    return undefined
  }
}

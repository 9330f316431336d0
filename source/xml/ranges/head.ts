// The head of a document: everything up to the last tag before its first record. It declares namespaces, entities and defaults of attributes, which hold in
// every record, and it opens the elements around the records. So whoever reads records from the middle of a document reads its head before them.

import type { Cursor } from '../../stream/cursor.ts'
import { LimitError } from '../../stream/errors.ts'
import type { Consumer, DocumentFacts } from '../parser/consumer.ts'
import type { RunOptions, runParser } from '../parser/run.ts'
import type { Path } from '../question/path.ts'
import type { TapeFrame } from '../tape/tape-frame.ts'
import { type HeadBytes, isOfContent, LARGEST_HEAD } from './head-facts.ts'
import { OpenElements, type OpenPath } from './open-path.ts'

/** A head, the offset after it, and the elements in which the first record stands. */
export interface XmlHead {
  readonly bytes: HeadBytes
  readonly end: number
  readonly within: OpenPath
}

/** How a head is read. */
export interface HeadOptions extends RunOptions {
  /** The error for a head that is too large; without it, there is none then. */
  readonly nameLimit?: ((error: LimitError) => LimitError) | undefined
  /** Ends the source of the head, as `signal` ends the reading of it. */
  readonly ending?: AbortSignal | undefined
}

/** The head of the document that begins at a cursor, which stays there. Undefined and throws like `readXmlHead`. The loop is given: it is loaded with what reads documents. */
export async function copyHead(
  run: typeof runParser,
  cursor: Cursor,
  paths: readonly Path[],
  { nameLimit, ...options }: HeadOptions,
): Promise<XmlHead | undefined> {
  const { limits: { maxDepth } = {}, fragment = false } = options
  const finder = new HeadFinder(paths, fragment)
  const limits = { maxRetained: LARGEST_HEAD, maxInput: LARGEST_HEAD, ...(maxDepth !== undefined && { maxDepth }) }
  const ahead = cursor.clone()
  try {
    // Those who read the document count what is wrong in its head, and know what is missing in it.
    const quiet = { onSkippedEntity: undefined, onReplace: options.onReplace && (() => {}) }
    const until = () => cursor.gaps[0] ?? Number.POSITIVE_INFINITY
    const ofHead = { ...options, ...quiet, limits, limit: undefined, until }
    for await (const parser of run(ahead, fragment ? 'checkFragment' : 'check', finder, ofHead)) {
      if (finder.isComplete) break
      parser.hold(finder.start)
    }
  } catch (error) {
    if (error instanceof LimitError && nameLimit) throw nameLimit(error)
    // Who reads the beginning of the document reports what is wrong with it.
    if (!(error instanceof LimitError) && !isOfContent(error)) throw error
  } finally {
    ahead.release()
  }
  return finder.head
}

/** Finds the first record: an element that a path matches, whatever its attributes are. Without paths, it stands in the root. */
class HeadFinder implements Consumer {
  readonly sharedText = 0
  dropDepth: number | undefined
  readonly #paths: readonly Path[]
  readonly #isFragment: boolean
  /** The states of the paths in each element that is open, in the document first. */
  readonly #states: (readonly number[])[]
  #facts: DocumentFacts | undefined
  #open: OpenElements | undefined
  /** The offset after the last tag. */
  #end = 0
  /** The offset of the first byte that is not part of a byte order mark. */
  start = 0
  /** Whether the first record was found, or it is known that there is none at which a range may end. */
  isComplete = false
  head: XmlHead | undefined

  /** `isFragment`: whether there may be several roots, which are records then. */
  constructor(paths: readonly Path[], isFragment: boolean) {
    this.#paths = paths
    this.#isFragment = isFragment
    this.#states = [paths.map(({ start }) => start)]
  }

  begin(facts: DocumentFacts): void {
    this.#facts = facts
    this.#open = new OpenElements(facts)
    this.start = facts.machine.viewWindow().start
  }

  read(frame: TapeFrame, first: number, end: number, depthBefore: number): number {
    const { startTag, endTag, emptyTag } = frame.types
    let depth = depthBefore
    for (let part = first, record = 0; part < end && !this.isComplete; part = record + 1) {
      record = frame.partAt(part)
      const type = frame.typeOf(record)
      if (type === startTag) {
        if (this.#enter(frame, part, depth)) this.#complete(frame, depth)
        // An empty element ends after the tag.
        else if (!frame.entity) this.#end = frame.endOf(record) + 1
        depth++
        if (!this.isComplete && !frame.entity) this.#open?.enter(frame, part, record, depth)
        if (this.#paths.length > 0) continue
        if (frame.isEmptyTag(record)) this.isComplete = true
        else this.#complete(frame, depth)
      } else if (type === endTag || type === emptyTag) {
        if (!frame.entity) {
          this.#open?.leave(depth)
          this.#end = frame.endOf(record)
        }
        depth--
      }
    }
    if (this.isComplete) this.dropDepth = 0
    return end
  }

  /** Follows the paths into an element. Returns whether it is a record. */
  #enter(frame: TapeFrame, nameRecord: number, depth: number): boolean {
    const name = frame.nameOf(nameRecord)
    const namespace = this.#facts?.scopes?.resolve(name.prefix)
    const candidate = { name, namespace, holds: () => true }
    const parent = this.#states[depth] as readonly number[]
    const states = this.#paths.map((path, i) => path.enter(parent[i] as number, candidate))
    this.#states[depth + 1] = states
    return this.#paths.some((path, i) => path.isMatch(states[i] as number))
  }

  #complete(frame: TapeFrame, depth: number): void {
    this.isComplete = true
    const within = this.#open?.pathAt(depth)
    // A record of an entity stands nowhere in the file, and a record that is the root is the only one.
    if (frame.entity || (depth === 0 && !this.#isFragment) || !within) return
    const end = Math.max(this.start, this.#end)
    const bytes = this.#facts?.machine.viewInput(this.start, end).slice()
    if (bytes) this.head = { bytes, end, within }
  }
}

// Documents with something changed.

import { CancellableGenerator } from '../../async/cancellable-generator.ts'
import { LazyModule } from '../../async/lazy-module.ts'
import type { Leaving } from '../../async/leaving.ts'
import { isSoon } from '../../async/waiting.ts'
import { Cursor } from '../../stream/cursor.ts'
import { describeValue, withCode } from '../../stream/errors.ts'
import { type OptionKinds, requireOptions } from '../../stream/options.ts'
import type { ByteSource } from '../../stream/sources/source.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import { refusePath } from '../errors/errors.ts'
import { generalKernel } from '../language/kernels.ts'
import { parserOptions, readXmlLimits, XML_OPTIONS, type XmlOptions } from '../options.ts'
import type { XmlParser } from '../parser/parser.ts'
import { runParser } from '../parser/run.ts'
import { Automaton } from '../question/automaton.ts'
import { childError, Path } from '../question/path.ts'
import { NO_FIELDS } from '../question/plan.ts'
import { DocumentDecoder } from '../text/encoding.ts'
import { XmlEditError } from './edit-error.ts'
import { type Copied, EditFinder } from './edit-finder.ts'
import { EditOutput } from './edit-output.ts'
import type { Edit } from './edited-tag.ts'
import { Editor, type PlannedEdit } from './editor.ts'

/** Edits by the paths of elements. Several that match one element are called in this order. */
export type XmlEdits = Readonly<Record<string, Edit>>

/** Options for editing. */
export interface EditOptions extends Omit<XmlOptions, 'fragment' | 'normalizeLineEnds' | 'onReplace'> {
  /** What prefixes in paths stand for. Without this option, names are compared as they are written. */
  prefixes?: Readonly<Record<string, string>> | undefined
  /**
   * Converts the document to UTF-8, and its declaration says so. Only documents in UTF-8, UTF-16, ISO-8859-1 and US-ASCII can be edited without this
   * option: they keep their encoding.
   */
  convert?: 'utf-8' | undefined
}

const { fragment: _, normalizeLineEnds: __, onReplace: ___, ...READING } = XML_OPTIONS
const EDIT_OPTIONS: OptionKinds<EditOptions> = { ...READING, prefixes: 'object', convert: ['utf-8'] }

/** Encodings in which what is not edited is copied byte for byte. */
const COPIED_ENCODINGS = new Set(['utf-8', 'utf-16le', 'utf-16be', 'iso-8859-1', 'us-ascii'])
/** Bytes that are yielded without waiting for more: each piece that is written to a file takes its time. */
const LEAST_YIELDED = 512 * 1024

/** Milliseconds that what is certain waits for an edit. */
const SOON = 10

/** What makes trees of elements that are held. */
const heldElements = new LazyModule(() => import('./held-element.ts'))

/**
 * Yields a document with something changed: what no path matches is copied byte for byte. Memory is bounded by the largest element that is held. The keys of
 * `edits` are paths, as for `XmlReader.select`. A value is a function, which is called with each matching element when that is complete, or an edit at tags
 * (`atTags`, `remove`, `unwrap`, `rename`), which holds no content. Edits may return promises, and are called one after the other.
 *
 * ```ts
 * import { editXml, remove } from 'xylem/xml/edit'
 *
 * const { body } = await fetch('https://example.org/dump.xml')
 * const edited = editXml(body ?? [], {
 *   'page/title': (title) => title.setContent(title.text.trim()),
 *   'revision[@deleted]': remove,
 * })
 * for await (const bytes of edited) process.stdout.write(bytes)
 * ```
 *
 * Edits at tags are called in the order of start tags. In an element that is held they are called before its own edit, which sees the element as it is in the
 * document; what it keeps of that has these changes. Elements that were removed or replaced are not searched.
 *
 * The result is well-formed if the document is. Throws an `XmlError` if that is not, and an `XmlEditError` for an edit that cannot be made, after
 * everything that is certain before it; a `LimitError` for an element that is too large to be held. Bytes that were yielded are not used again. A cursor is not
 * released: it is after what was delivered. Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options, paths and edits.
 */
export function editXml(
  source: ByteSource | Cursor,
  edits: XmlEdits,
  options: EditOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  requireOptions(options, EDIT_OPTIONS)
  parserOptions(options)
  const planned = planEdits(edits, options)
  refusePath(source)
  return new CancellableGenerator((leaving) => edit(source, planned, options, leaving), options.signal)
}

interface EditPlan {
  readonly edits: readonly PlannedEdit[]
  readonly automaton: Automaton
  readonly holds: boolean
}

function planEdits(edits: XmlEdits, { prefixes }: EditOptions): EditPlan {
  if (typeof edits !== 'object' || edits === null || Symbol.iterator in edits) {
    throw withCode(
      new TypeError(`edits must be an object with edits by their paths, not ${describeValue(edits)}`),
      'invalid-option',
    )
  }
  const paths: Path[] = []
  const planned = Object.entries(edits).map(([path, edit]): PlannedEdit => {
    const isAtTags = typeof edit === 'object' && edit !== null && typeof edit.atTags === 'function'
    if (!isAtTags && typeof edit !== 'function') {
      const message = `the edit of ${JSON.stringify(path)} must be a function, or what atTags returns, not ${describeValue(edit)}`
      throw withCode(new TypeError(message), 'invalid-option')
    }
    const parsed = new Path(path, false, { prefixes })
    const { children } = parsed
    if (isAtTags && children.length > 0) throw childError(path)
    paths.push(parsed)
    return { path, edit, children }
  })
  const automaton = new Automaton({ paths, plan: NO_FIELDS, nested: 'each' })
  return { edits: planned, automaton, holds: planned.some(({ edit }) => typeof edit === 'function') }
}

function openCursor(source: ByteSource, signal: AbortSignal): Cursor {
  if (source instanceof StreamCache) return source.cursor()
  // What is held is limited by the editor, which knows what it is held for.
  const limits = { maxRetained: Number.POSITIVE_INFINITY }
  return StreamCache.from(source, { signal, limits, loneSurrogate: 'U+FFFF' }).cursor()
}

async function* edit(
  source: ByteSource | Cursor,
  plan: EditPlan,
  options: EditOptions,
  leaving: Leaving,
): AsyncGenerator<Uint8Array, void, undefined> {
  // A cursor of the caller is the second one of the source, and is not released.
  const lent = source instanceof Cursor ? source : undefined
  const reading = lent?.clone() ?? openCursor(source as ByteSource, leaving.signal)
  const editing = new Editing(lent ?? reading.clone(), plan, options, leaving)
  let parser: XmlParser | undefined
  /** Whether an error is one of the document or its source, and not of an edit. */
  let isReading = true
  try {
    // Without the kernel, trees take longer.
    if (plan.holds) await Promise.all([heldElements.load(), generalKernel.load().catch(() => undefined)])
    // The cursor is given, so nothing else is opened.
    const run = runParser('', 'check', editing.finder, {
      ...options,
      signal: leaving,
      cursor: reading,
      decoder: new EditDecoder(options.encoding, reading.offset, editing),
    })
    for await (parser of run) {
      isReading = false
      for (const found of editing.finder.take()) {
        const edited = editing.editor.next(found)
        if (edited) {
          if (!(await isSoon(edited, SOON))) yield* editing.output.take(true)
          await edited
        }
        if (editing.output.size >= LEAST_YIELDED) yield* editing.output.take(false)
      }
      editing.follow(parser)
      // Where more input has to be waited for, what is certain is delivered before.
      const isWaiting = reading.available === 0
      if (isWaiting || editing.output.size >= LEAST_YIELDED) yield* editing.output.take(isWaiting)
      isReading = true
    }
    editing.output.copyRest()
    yield* editing.output.take(true)
  } catch (error) {
    yield* editing.rescue(isReading ? parser : undefined)
    throw error
  } finally {
    reading.release()
    editing.release(lent)
  }
}

/** Decodes a document for the parser, and gives what it has decoded to `Editing` too. */
class EditDecoder extends DocumentDecoder {
  readonly #editing: Editing

  constructor(said: string | undefined, start: number, editing: Editing) {
    super(said, start)
    this.#editing = editing
  }

  override push(bytes: Uint8Array): Uint8Array {
    return this.#note(super.push(bytes))
  }

  override end(): Uint8Array {
    return this.#note(super.end())
  }

  /** An element that is held is read once more, and its offsets are asked for then. */
  override release(offset: number): void {
    super.release(Math.min(offset, this.#editing.heldFrom))
  }

  #note(text: Uint8Array): Uint8Array {
    if (this.isDecided) this.#editing.note(this.encoding, this.isTransparent ? undefined : text)
    return text
  }
}

/**
 * Edits one document: connects the finder, the editor and the output. The document is read twice: the parser reads ahead, and the output copies what the parser
 * has read. The output copies from the source, or from the UTF-8 of the source if the document is converted.
 */
class Editing {
  readonly finder: EditFinder
  readonly #plan: EditPlan
  readonly #options: EditOptions
  readonly #leaving: Leaving
  /** The second cursor of the source, which is after what was copied or left out. */
  readonly #sourceCursor: Cursor
  /** The UTF-8 of the document as it is decoded; undefined if the document is not converted. */
  #converted: StreamCache | undefined
  /** The cursor that the output copies from: the second one of the source, or one of its UTF-8. */
  #outputCursor: Cursor | undefined
  /** What the output copies from, for the finder. As all that follows, it is known with the encoding. */
  #copied: Copied | undefined
  #output: EditOutput | undefined
  #editor: Editor | undefined

  constructor(sourceCursor: Cursor, plan: EditPlan, options: EditOptions, leaving: Leaving) {
    this.#sourceCursor = sourceCursor
    this.#plan = plan
    this.#options = options
    this.#leaving = leaving
    this.finder = new EditFinder(plan.automaton, () => this.#copied as Copied)
  }

  get output(): EditOutput {
    return this.#output as EditOutput
  }

  get editor(): Editor {
    return this.#editor as Editor
  }

  /** Where the element that is held begins in the UTF-8 that is parsed; infinite where none is held. */
  get heldFrom(): number {
    return this.#editor?.heldFrom ?? Number.POSITIVE_INFINITY
  }

  /** The encoding is known, and more text, if it is not that of the source. Throws an {@link XmlEditError} for an encoding that cannot be kept. */
  note(encoding: string, text: Uint8Array | undefined): void {
    if (!this.#editor) this.#begin(encoding)
    if (text && text.length > 0) this.#converted?.write(text.slice())
  }

  #begin(encoding: string): void {
    const { convert, limits } = this.#options
    const { offset } = this.#sourceCursor
    if (!convert && !COPIED_ENCODINGS.has(encoding)) {
      const message = `a document in ${encoding} cannot be edited as it is: convert it with the option convert: 'utf-8'`
      throw new XmlEditError(message, { code: 'unsupported-encoding', byteOffset: offset, line: 1, column: 1 })
    }
    const isConverted = convert !== undefined && encoding !== 'utf-8'
    if (isConverted) this.#converted = new StreamCache({ limits: { maxRetained: Number.POSITIVE_INFINITY } })
    this.#copied = { encoding: isConverted ? 'utf-8' : encoding, isConverted }
    this.#outputCursor = this.#converted?.cursor() ?? this.#sourceCursor
    const output = new EditOutput(this.#outputCursor, offset, this.#copied.encoding)
    this.#output = output
    const { finder } = this
    this.#editor = new Editor({
      edits: this.#plan.edits,
      output,
      signal: () => this.#leaving.signal,
      maxRetained: readXmlLimits(limits).maxRetained,
      locate: (parsedOffset) => finder.facts.machine.locate(parsedOffset),
      declarations: () => finder.declarations,
      hasNamespaces: this.#options.namespaces !== false,
      hold: (tag, input) => {
        const { facts, doctype } = finder
        const context = { facts, doctype, options: this.#options, encoding: output.encoding }
        return new heldElements.required.HeldBytes(tag, context, input)
      },
    })
  }

  /** The parser has read more: what is complete and has no error is copied, left out or held. */
  follow(parser: XmlParser): void {
    const offset = Math.max(parser.readTo, parser.retainedFrom)
    this.editor.follow(this.#placeOf(offset, parser))
    if (this.#converted) this.#pass(parser.toSource(offset))
  }

  /** What is certain before an error. `parser`: what has found it, unless an edit has thrown it. */
  rescue(parser: XmlParser | undefined): Uint8Array[] {
    const failedAt = parser?.failedAt
    this.#editor?.stop(parser && failedAt !== undefined ? this.#placeOf(failedAt, parser) : undefined)
    return this.#output?.take(true) ?? []
  }

  release(lent: Cursor | undefined): void {
    if (this.#converted) this.#outputCursor?.release()
    if (!lent) this.#sourceCursor.release()
  }

  /** Where an offset in the UTF-8 that is parsed is in what is copied. */
  #placeOf(offset: number, parser: XmlParser): number {
    return this.#converted ? offset : parser.toSource(offset)
  }

  /** The source is read up to an offset, and is not copied. */
  #pass(offset: number): void {
    const cursor = this.#sourceCursor
    if (offset > cursor.offset && !cursor.done) cursor.skip(offset - cursor.offset)
  }
}

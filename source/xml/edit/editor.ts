// Calls edits in the order of the document, and puts what they change into the result.

import { abortable } from '../../async/waiting.ts'
import { describeValue, LimitError, withCode } from '../../stream/errors.ts'
import { shorten } from '../errors/unplaced-error.ts'
import type { Declaration } from '../names/namespaces.ts'
import type { ChildCondition } from '../question/path.ts'
import { type ChangeContext, ElementChanges } from './changes.ts'
import type { DocumentDeclarations } from './declarations.ts'
import { XmlEditError } from './edit-error.ts'
import type { EditOutput } from './edit-output.ts'
import { type Edit, EditedElement, EditedTag, type HeldElement, makeEndedError } from './edited-tag.ts'
import type { Found, FoundEnd, FoundInEntity, FoundPlace, FoundTag } from './found.ts'
import { Scopes } from './scopes.ts'

/** An edit, the path that it is for, and what that asks of children. */
export interface PlannedEdit {
  readonly path: string
  readonly edit: Edit
  readonly children: readonly ChildCondition[]
}

export interface LineAndColumn {
  readonly line: number
  readonly column: number
}

export interface EditorOptions {
  readonly edits: readonly PlannedEdit[]
  readonly output: EditOutput
  readonly signal: () => AbortSignal
  /** Bytes of an element that may be held. */
  readonly maxRetained: number
  /** The line and the column of an offset in the UTF-8 that is parsed. The parser knows them as long as it has not let that input go. */
  readonly locate: (parsedOffset: number) => LineAndColumn
  /** What the document type declares. */
  readonly declarations: () => DocumentDeclarations
  /** Whether prefixes stand for namespaces. */
  readonly hasNamespaces: boolean
  /** Makes the content of an element that was held. */
  readonly hold: (tag: FoundTag, input: HeldInput) => HeldElement
}

/** What an element that is held is read from. */
export interface HeldInput {
  /** Its bytes. */
  readonly bytes: () => Uint8Array
  /** Those of its content. */
  readonly content: () => Uint8Array
  /** What prefixes stand for in it in the document. */
  readonly declarations: () => readonly Declaration[]
}

/** An element that was found, and has not ended. */
interface OpenElement {
  readonly tag: FoundTag
  readonly changes: ElementChanges
  /** How many of its edits were called. */
  called: number
}

type Patch = readonly [from: number, to: number, markup: string]

export class Editor {
  readonly #options: EditorOptions
  readonly #context: ChangeContext
  readonly #scopes: Scopes | undefined
  readonly #open: OpenElement[] = []
  /** The element that is held until it ends, where that began, and what changes in it. */
  #held: OpenElement | undefined
  #heldPlace: LineAndColumn | undefined
  #patches: Patch[] = []
  /** The last start tag that was not in an element that is held. */
  #last: FoundTag | undefined
  /** The depth of the element whose content is left out; 0 for none. */
  #skippedDepth = 0
  /** Where the root begins and ends, if edits match it and it is known. */
  #rootStart = -1
  #rootEnd = Number.POSITIVE_INFINITY

  constructor(options: EditorOptions) {
    const { output } = options
    this.#options = options
    this.#scopes = options.hasNamespaces ? new Scopes() : undefined
    this.#context = {
      lastCodePoint: output.lastCodePoint,
      unit: output.unit,
      scopes: this.#scopes,
      declarations: options.declarations,
      fail: (tag, message, code, cause) => this.#fail(tag, message, code, cause),
    }
  }

  /** Goes on with what was found next. A promise where an edit is waited for. */
  next(found: Found): Promise<void> | undefined {
    const isSkipped = this.#skippedDepth > 0
    switch (found.kind) {
      case 'start':
        return isSkipped ? undefined : this.#start(found)
      case 'end':
        return isSkipped && found.depth > this.#skippedDepth ? undefined : this.#end(found)
      case 'encoding':
        this.#put(found.start, found.end, this.#options.output.encoding.toUpperCase())
        return undefined
      default:
        if (isSkipped) return undefined
        throw this.#refuse(found)
    }
  }

  /** Where the element that is held begins in the UTF-8 that is parsed; infinite where none is held. */
  get heldFrom(): number {
    return this.#held?.tag.parsedOffset ?? Number.POSITIVE_INFINITY
  }

  /** The input is read up to an offset: what of it is certain becomes part of the result. */
  follow(offset: number): void {
    const { output, maxRetained } = this.#options
    const held = this.#held
    if (!held) {
      if (this.#skippedDepth > 0) output.skipTo(offset)
      else output.copyTo(offset)
      return
    }
    this.#heldPlace ??= this.#options.locate(held.tag.parsedOffset)
    const retained = offset - held.tag.start
    if (retained > maxRetained || output.isFull) throw this.#makeLimitError(held.tag, retained)
  }

  /**
   * There was an error, and nothing more is read: what is certain becomes part of the result. That is what is before `end`, the place of an error in the document;
   * after other errors, what is before the element whose edits were called last.
   */
  stop(end: number | undefined): void {
    if (this.#held) {
      this.#held = undefined
      return
    }
    const { output } = this.#options
    if (end === undefined) output.copyTo(this.#last?.start ?? 0)
    else if (this.#skippedDepth > 0) output.skipTo(end)
    else output.copyTo(end)
  }

  #start(tag: FoundTag): Promise<void> | undefined {
    const open = { tag, changes: new ElementChanges(tag, this.#context), called: 0 }
    this.#open.push(open)
    this.#scopes?.enter(tag.depth, tag.attributes)
    if (tag.depth === 1) this.#rootStart = tag.start
    if (this.#held) this.#requireTags(tag, this.#held)
    else this.#last = tag
    const called = this.#callEdits(open, undefined)
    if (called) {
      // What is before it is certain, and need not wait.
      if (!this.#held) this.#options.output.copyTo(tag.start)
      return called.then(() => this.#started(open))
    }
    this.#started(open)
    return undefined
  }

  /** The edits at the tag were called. If there is another one, the element is held for it. */
  #started(open: OpenElement): void {
    const { tag, changes, called } = open
    if (changes.skipsContent) this.#skippedDepth = tag.depth
    if (!changes.isGone && called < tag.edits.length) {
      this.#options.output.copyTo(tag.start)
      this.#held = open
      this.#heldPlace = undefined
      return
    }
    changes.putStart(this.#put)
    if (changes.skipsContent && !this.#held) this.#options.output.copyTo(tag.tagEnd)
  }

  #end(end: FoundEnd): Promise<void> | undefined {
    const open = this.#open.pop() as OpenElement
    if (end.depth === 1) this.#rootEnd = end.end
    this.#skippedDepth = 0
    if (open !== this.#held) {
      this.#scopes?.leave()
      open.changes.putEnd(end, this.#put)
      return undefined
    }
    const called = this.#callHeld(open, end)
    if (called) return called.then(() => this.#finishHeld(open, end))
    this.#finishHeld(open, end)
    return undefined
  }

  #makeLimitError(tag: FoundTag, retained: number): LimitError {
    const { byteOffset, name, parsedOffset } = tag
    const { maxRetained, output } = this.#options
    const limit = Math.min(maxRetained, output.maxRetained)
    const { line, column } = this.#heldPlace ?? this.#options.locate(parsedOffset)
    const at = `(line ${line}, column ${column}, byte ${byteOffset})`
    const message = `<${shorten(name.raw)}> is held for its edit, and has more than ${limit} bytes (maxRetained): edit it at its tags ${at}`
    const details = { code: 'retained-limit' as const, byteOffset, line, column, limit }
    return new LimitError(message, { ...details, retained, retainedFrom: byteOffset })
  }

  #callHeld(open: OpenElement, end: FoundEnd): Promise<void> | undefined {
    const { output, hold, maxRetained } = this.#options
    const { start, tagEnd } = open.tag
    // It may have arrived at once.
    if (end.end - start > maxRetained) throw this.#makeLimitError(open.tag, end.end - start)
    const view = (to: number) => {
      // Once its edits have ended, some of its input may be copied, and be gone.
      if (this.#held !== open) throw makeEndedError('read')
      return output.view(start, to)
    }
    const bytes = () => view(end.end)
    const content = () => view(Math.max(tagEnd, end.start)).subarray(tagEnd - start)
    const declarations = () => this.#scopes?.inDocument ?? []
    return this.#callEdits(open, hold(open.tag, { bytes, content, declarations }))
  }

  #finishHeld({ changes }: OpenElement, end: FoundEnd): void {
    const patches = this.#patches
    this.#held = undefined
    this.#patches = []
    this.#scopes?.leave()
    changes.putStart(this.#put)
    if (!changes.skipsContent) for (const patch of patches) this.#put(...patch)
    changes.putEnd(end, this.#put)
  }

  /** Calls the next edits: those at tags up to one with content, unless the element is complete. */
  #callEdits(open: OpenElement, held: HeldElement | undefined): Promise<void> | undefined {
    const { tag, changes } = open
    while (open.called < tag.edits.length && !changes.isGone) {
      const { edit, children, path } = this.#options.edits[tag.edits[open.called] as number] as PlannedEdit
      if (!held && !('atTags' in edit)) return undefined
      open.called++
      if (held && children.length > 0 && !held.element.hasChildren(children)) continue
      const returned =
        'atTags' in edit ? edit.atTags(new EditedTag(changes)) : edit(new EditedElement(changes, held as HeldElement))
      if (isPromise(returned)) {
        const settled = abortable(Promise.resolve(returned), this.#options.signal())
        return settled.then((value) => {
          requireNothing(value, path)
          changes.endedEdits++
          return this.#callEdits(open, held)
        })
      }
      requireNothing(returned, path)
      changes.endedEdits++
    }
    return undefined
  }

  readonly #put = (from: number, to: number, markup: string): void => {
    if (from === to && markup === '') return
    if (this.#held) {
      this.#patches.push([from, to, markup])
      return
    }
    const { output } = this.#options
    const isOutside = to <= this.#rootStart || from >= this.#rootEnd
    output.copyTo(from)
    output.write(markup, isOutside)
    output.skipTo(to)
  }

  #refuse(found: FoundInEntity): XmlEditError {
    if (!this.#held) this.#options.output.copyTo(found.start)
    const message = `<${shorten(found.name)}> is in the text of the entity ${shorten(found.entity)}: it cannot be edited`
    return this.#fail(found, message, 'match-in-entity')
  }

  /** In an element that is held, only edits at tags are made. */
  #requireTags(tag: FoundTag, held: OpenElement): void {
    const edit = tag.edits.find((one) => !('atTags' in (this.#options.edits[one] as PlannedEdit).edit))
    if (edit === undefined) return
    const { name, byteOffset, parsedOffset } = held.tag
    const { line, column } = this.#heldPlace ?? this.#options.locate(parsedOffset)
    const message = `<${shorten(tag.name.raw)}> is in <${shorten(name.raw)}>, which is held for its own edit (line ${line}, column ${column}, byte ${byteOffset}); edit one of both at its tags`
    throw this.#fail(tag, message, 'nested-edit')
  }

  #fail(
    { parsedOffset, byteOffset }: FoundPlace,
    message: string,
    code: XmlEditError['code'],
    cause?: unknown,
  ): XmlEditError {
    const held = this.#held?.tag
    const { line, column } =
      held?.parsedOffset === parsedOffset && this.#heldPlace ? this.#heldPlace : this.#options.locate(parsedOffset)
    return new XmlEditError(message, { code, byteOffset, line, column, cause })
  }
}

/** What an edit returns changes nothing, and whoever returns something expects that it does. */
function requireNothing(returned: unknown, path: string): void {
  if (returned === undefined) return
  const message = `the edit of ${JSON.stringify(path)} must return nothing, not ${describeValue(returned)}: call methods of the element to change it`
  throw withCode(new TypeError(message), 'edit-returned')
}

function isPromise(value: unknown): value is PromiseLike<void> {
  return typeof value === 'object' && value !== null && 'then' in value
}

// Which tag, value, comment, CDATA section or processing instruction is open, and where it began: for messages. The machine does not keep
// that, and drops the input. So what is open is noted when its beginning is about to be dropped, and otherwise looked for when it is asked for.

import { Op } from '../../machine/program/instructions.ts'
import type { Program } from '../../machine/program/program.ts'
import type { Machine } from '../../machine/run/machine.ts'
import { TextPosition } from '../../machine/tree/text-position.ts'

export type MarkupKind = 'comment' | 'cdata' | 'instruction' | 'startTag' | 'endTag' | 'value'

/** What is open. */
export interface OpenMarkup {
  readonly kind: MarkupKind
  /** Offset where it began. */
  readonly start: number
  /** Where that is for a person; undefined where it is not known any more. */
  readonly position: TextPosition | undefined
}

/** What is open in a text; `start` counts from its first byte. */
interface Finding {
  readonly kind: MarkupKind
  readonly start: number
  /** What ends it; undefined for a start tag. */
  readonly ending?: string | undefined
  /** Where a tag began; of what is none it says nothing. */
  readonly tagStart: number
}

const OPENINGS: readonly (readonly [opening: string, kind: MarkupKind, ending?: string])[] = [
  ['<!--', 'comment', '-->'],
  ['<![CDATA[', 'cdata', ']]>'],
  ['<?', 'instruction', '?>'],
  ['</', 'endTag', '>'],
  ['<', 'startTag'],
]
/** What the thing begins with that is open where a rule is at work: nothing in content. Of rules in rules the innermost counts that is here. */
const OPENINGS_OF_RULES: ReadonlyMap<string, string> = new Map([
  ...['text', 'content', 'reference', 'characterReference', 'entityReference'].map((rule) => [rule, ''] as const),
  ...['startTag', 'attributes', 'attribute', 'attributeValue', 'gap', 'endTag'].map((rule) => [rule, '<'] as const),
  ['comment', '<!--'],
  ['cdata', '<![CDATA['],
  ['instruction', '<?'],
  ['target', '<?'],
])
const LESS_THAN = 0x3c
/** Bytes that are looked at first. */
const NEAR = 2048
/** A unit for each byte. */
const decoder = new TextDecoder('latin1')

/** Follows what is open in the input of one machine. */
export class MarkupFinder {
  readonly #machine: Machine
  /** Loads the notes of the program; undefined once it was called. */
  #loadNotes: (() => void) | undefined
  /** Offset up to which it is known what is open, and that. */
  #from: number
  #open: (Finding & { readonly position?: TextPosition | undefined }) | undefined
  /** Offset before which nothing can be located. */
  #dropped: number

  /** `start` is the offset of the first byte. `loadNotes` loads the notes of the program, which are needed when input is dropped. */
  constructor(machine: Machine, start: number, loadNotes?: () => void) {
    this.#machine = machine
    this.#loadNotes = loadNotes
    this.#from = start
    this.#dropped = start
    machine.beforeDrop((retained) => this.#note(retained))
  }

  /** Says that nothing is open at an offset. */
  restart(offset: number): void {
    this.#from = offset
    this.#open = undefined
  }

  /** What is open at an offset. To be asked when the open element is located, and nothing after it. */
  find(offset: number): OpenMarkup | undefined {
    this.#follow(offset, true)
    const open = this.#open
    return open && { kind: open.kind, start: open.start, position: open.position ?? this.#locate(open) }
  }

  /** Notes what is open, before the input up to an offset is dropped. */
  #note(retained: number): void {
    // Without notes of the program all of the input is looked through. In a document of more than one piece that is to happen once. Whether they could be loaded is seen when there
    // is an error.
    this.#loadNotes?.()
    this.#loadNotes = undefined
    this.#follow(this.#machine.position, false)
    const open = this.#open
    // Where open elements began the machine notes.
    const isWanted = open && !open.position && open.kind !== 'startTag' && open.start < retained
    if (isWanted) this.#open = { ...open, position: this.#locate(open) }
    this.#dropped = retained
  }

  #locate({ kind, start }: Finding): TextPosition | undefined {
    const symbol = kind === 'startTag' ? this.#machine.openSymbol?.position : undefined
    if (symbol?.byteOffset === start + 1)
      return new TextPosition(start, symbol.line, symbol.column - 1, symbol.index - 1)
    return start < this.#dropped ? undefined : this.#machine.locate(start)
  }

  #follow(end: number, isFault: boolean): void {
    const from = this.#from
    this.#from = end
    const open = this.#open
    this.#open = undefined
    const { program, programCounter, position } = this.#machine
    if (isAtOpening(program as Program, programCounter)) {
      const found = findOpen(this.#textOf(position, end), undefined, 0)
      this.#open = found && shift(found, position)
      return
    }
    const opening = this.#openingBefore(end, isFault)
    if (opening === '') return
    const near = Math.max(from, end - NEAR)
    const text = this.#textOf(near, end)
    const last = opening === undefined ? -1 : findLast(text, opening)
    const isNear = last !== -1
    const found = isNear
      ? findOpen(text, undefined, last)
      : findOpen(near === from ? text : this.#textOf(from, end), open && shift(open, -from), 0)
    if (!found) return
    const placed = shift(found, isNear ? near : from)
    this.#open = { ...placed, position: placed.start === open?.start ? open.position : undefined }
  }

  /** What the thing begins with that is open: '' for none, undefined if the program does not know. */
  #openingBefore(end: number, isFault: boolean): string | undefined {
    const { program, programCounter } = this.#machine
    const rules = (program as Program).notes.get(programCounter)?.rules ?? []
    for (let i = rules.length - 1; i >= 0; i--) {
      const rule = rules[i] as string
      const opening = OPENINGS_OF_RULES.get(rule)
      if (opening !== undefined) return opening
      // Between two things in content, or at the end of a start tag; only there can it fail.
      if (rule === 'element') return !isFault && /^(?:>|.<)/s.test(this.#textOf(end - 1, end + 1)) ? '' : '<'
    }
    return undefined
  }

  #textOf(start: number, end: number): string {
    return decoder.decode(this.#machine.viewInput(start, end))
  }
}

/** Where the thing begins that is open at the end of a text, or may be; its end where nothing is, and -1 where the text does not show it. */
function findLast(text: string, opening: string): number {
  const last = text.lastIndexOf(opening)
  // Neither can stand in what it opens.
  if (opening === '<' || opening === '<!--') return last
  const closing = text.lastIndexOf(opening === '<?' ? '?>' : ']]>')
  if (closing === -1) return -1
  const first = text.indexOf(opening, closing)
  return first === -1 ? text.length : first === last ? last : -1
}

/** Whether an instruction matches the beginning of a tag or another thing: before it nothing is open. */
function isAtOpening({ code, data }: Program, pc: number): boolean {
  const word = code[pc] as number
  const operand = word >>> 8
  switch (word & 255) {
    case Op.BYTE:
      return operand === LESS_THAN
    case Op.WORD:
      return ((code[pc + 1] as number) & 255) === LESS_THAN
    case Op.LITERAL:
      return data[operand] === LESS_THAN
    default:
      return false
  }
}

function shift(finding: Finding, by: number): Finding {
  return { ...finding, start: finding.start + by, tagStart: finding.tagStart + by }
}

/** What is open at the end of a text, if `open` was open at an index. */
function findOpen(text: string, open: Finding | undefined, from: number): Finding | undefined {
  let now = open
  // Where nothing but tags begins, only the last one can be open.
  const last = open || /<[!?]/.test(text) ? -1 : text.lastIndexOf('<')
  for (let at = Math.max(from, last); ; ) {
    if (!now) {
      const start = text.indexOf('<', at)
      if (start === -1) return undefined
      const [opening, kind, ending] = OPENINGS.find(([one]) => text.startsWith(one, start)) as (typeof OPENINGS)[number]
      now = { kind, start, ending, tagStart: start }
      at = start + opening.length
    }
    const { ending, tagStart } = now
    if (!ending) {
      const next = /["'>]/g
      next.lastIndex = at
      const found = next.exec(text)
      if (!found) return now
      at = found.index + 1
      now = found[0] === '>' ? undefined : { kind: 'value', start: found.index, ending: found[0], tagStart }
      continue
    }
    const end = text.indexOf(ending, at)
    if (end === -1) return now
    at = end + ending.length
    now = now.kind === 'value' ? { kind: 'startTag', start: tagStart, tagStart } : undefined
  }
}

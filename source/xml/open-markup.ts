// Which tag, value, comment, CDATA section or processing instruction is open, and where it began: for messages. The machine does not keep
// that, and drops the input. So what is open is noted when its beginning is about to be dropped, and otherwise looked for when it is asked for.

import type { Machine } from '../machine/machine.ts'
import type { Program } from '../machine/program.ts'
import { TextPosition } from '../machine/text-position.ts'

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
  /** Of a value. */
  readonly quote?: string
  /** Where a tag began; of what is none it says nothing. */
  readonly tagStart: number
}

const OPENINGS: readonly (readonly [opening: string, kind: MarkupKind])[] = [
  ['<!--', 'comment'],
  ['<![CDATA[', 'cdata'],
  ['<?', 'instruction'],
  ['</', 'endTag'],
  ['<', 'startTag'],
]
const ENDINGS: Partial<Record<MarkupKind, string>> = { comment: '-->', cdata: ']]>', instruction: '?>', endTag: '>' }
/** Rules in which nothing is open but elements. */
const CONTENT = new Set(['content', 'text', 'reference', 'characterReference', 'entityReference', 'entityEnd'])
/** What the last thing begins with that may be open where a rule is at work. */
const LAST_OPENINGS: ReadonlyMap<string, string> = new Map([
  ['comment', '<!--'],
  ...['startTag', 'attributes', 'attribute', 'equals', 'attributeValue', 'gap', 'endTag'].map(
    (rule) => [rule, '<'] as const,
  ),
])
/** A unit for each byte. */
const decoder = new TextDecoder('latin1')

/** Follows what is open in the input of one machine. */
export class MarkupFinder {
  readonly #machine: Machine
  /** Offset up to which it is known what is open, and that. */
  #from: number
  #open: (Finding & { readonly position?: TextPosition | undefined }) | undefined
  /** Offset before which nothing can be located. */
  #dropped: number

  /** `start` is the offset of the first byte. */
  constructor(machine: Machine, start: number) {
    this.#machine = machine
    this.#from = start
    this.#dropped = start
    machine.beforeDrop((retained) => this.#note(retained))
  }

  /** Says that nothing is open at an offset. */
  restart(offset: number): void {
    this.#from = offset
    this.#open = undefined
  }

  /** What is open at an offset. To be asked when the open element is located, and nothing behind it. */
  find(offset: number): OpenMarkup | undefined {
    this.#follow(offset)
    const open = this.#open
    return open && { kind: open.kind, start: open.start, position: open.position ?? this.#locate(open) }
  }

  /** Notes what is open, before the input up to an offset is dropped. */
  #note(retained: number): void {
    this.#follow(this.#machine.position)
    const open = this.#open
    // Where open elements began the machine notes.
    const isWanted = open && !open.position && open.kind !== 'startTag' && open.start < retained
    if (isWanted) this.#open = { ...open, position: this.#locate(open) }
    this.#dropped = retained
  }

  #locate({ kind, start }: Finding): TextPosition | undefined {
    const symbol = kind === 'startTag' ? this.#machine.openSymbol?.position : undefined
    if (symbol?.byteOffset === start + 1) {
      return new TextPosition(start, symbol.line, symbol.column - 1, symbol.index - 1)
    }
    return start < this.#dropped ? undefined : this.#machine.locate(start)
  }

  #follow(end: number): void {
    const from = this.#from
    this.#from = end
    const open = this.#open
    this.#open = undefined
    const { program, programCounter } = this.#machine
    const rule = (program as Program).notes.get(programCounter)?.rules.at(-1) ?? ''
    if (CONTENT.has(rule)) return
    const text = decoder.decode(this.#machine.viewInput(from, end))
    const opening = LAST_OPENINGS.get(rule)
    const last = opening === undefined ? -1 : text.lastIndexOf(opening)
    const before = open && shift(open, -from)
    const found = last === -1 ? findOpen(text, before, 0) : findOpen(text, undefined, last)
    const position = found && found.start + from === open?.start ? open.position : undefined
    this.#open = found && { ...shift(found, from), position }
  }
}

function shift(finding: Finding, by: number): Finding {
  return { ...finding, start: finding.start + by, tagStart: finding.tagStart + by }
}

/** What is open at the end of a text, of which `open` was at an index. */
function findOpen(text: string, open: Finding | undefined, from: number): Finding | undefined {
  let now = open
  for (let at = from; ; ) {
    if (!now) {
      const start = text.indexOf('<', at)
      if (start === -1) return undefined
      const [opening, kind] = OPENINGS.find(([opening]) => text.startsWith(opening, start)) as [string, MarkupKind]
      now = { kind, start, tagStart: start }
      at = start + opening.length
    }
    if (now.kind === 'startTag') {
      const next = /["'>]/g
      next.lastIndex = at
      const found = next.exec(text)
      if (!found) return now
      at = found.index + 1
      const { tagStart } = now
      now = found[0] === '>' ? undefined : { kind: 'value', start: found.index, quote: found[0], tagStart }
      continue
    }
    const ending = now.quote ?? (ENDINGS[now.kind] as string)
    const end = text.indexOf(ending, at)
    if (end === -1) return now
    at = end + ending.length
    now = now.kind === 'value' ? { kind: 'startTag', start: now.tagStart, tagStart: now.tagStart } : undefined
  }
}

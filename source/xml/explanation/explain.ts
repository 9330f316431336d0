// What is wrong where the machine stopped, in the words of XML.
//
// What a message depends on is the same however the input is cut: what was matched, and as much after it as `isMoreWanted` waits for.

import { detectCompression } from '../../compression/detect.ts'
import { findFailure } from '../../machine/failure/failure.ts'
import { Op } from '../../machine/program/instructions.ts'
import type { Program } from '../../machine/program/program.ts'
import type { Machine, Outcome } from '../../machine/run/machine.ts'
import type { TextPosition } from '../../machine/tree/text-position.ts'
import type { Position } from '../../text/line-counter.ts'
import { quoteCharacter } from '../../text/markup/visible.ts'
import { LocatedError, shorten } from '../errors/unplaced-error.ts'
import type { MarkupKind, OpenMarkup } from './open-markup.ts'

/** Bytes before and after an error in which the end tag is looked for: a hundred characters, and more. */
const CONTEXT = 420
/** Bytes after an error that show what was meant: those of `<![CDATA[`, `<!DOCTYPE` and `<!NOTATION`. */
const AHEAD = 10
/** What stands in a tag where a name should, as far as it is shown. */
const NAME = /^[^\s<>/]{0,100}/u
const KINDS: Readonly<Record<MarkupKind, string>> = {
  comment: 'comment',
  cdata: 'CDATA section',
  instruction: 'processing instruction',
  startTag: 'start tag',
  endTag: 'end tag',
  value: 'value',
}
/** What begins with `<!`. */
const DECLARATIONS = ['<!--', '<![CDATA[', '<!DOCTYPE']
/** What a message speaks of, in capital letters. */
const NAMED = [...DECLARATIONS, '<!ELEMENT', '<!ATTLIST', '<!ENTITY', '<!NOTATION', '-->', '/>', ']]>']
const BEHIND_ROOT = 'only comments, processing instructions and white space are allowed'

/** Where an element was opened. */
export interface OpenElement {
  readonly name: string
  /** Line and column, as a message would say them; undefined where that is not known any more. */
  readonly place: string | undefined
}

/** What is known where the machine stopped. */
export interface SyntaxContext {
  /** The innermost element that is open. */
  readonly element?: OpenElement | undefined
  /** What is open in it. */
  readonly markup?: OpenMarkup | undefined
  /** Where the input begins, as far as it is a document; undefined for what is in one. */
  readonly documentStart?: number | undefined
  /** What is parsed, as a message would say it. */
  readonly input: string
}

/** What is wrong, in words. */
interface Explanation {
  readonly message: string
  readonly code?: string
  readonly constraint?: string
}

/** What is wrong where a machine stopped with `failed`, `label` or `malformed`. The machine is not to be run again. */
export function explainSyntax(machine: Machine, outcome: Outcome, context: SyntaxContext): LocatedError {
  const { element } = context
  // Before the machine is run again for the message, and its state changes.
  const operation = operationOf(machine)
  const name = outcome === 'failed' && operation === Op.UNIQUE ? machine.marked : undefined
  const isAfterRoot = !element && context.documentStart !== undefined && machine.nameCount > 0
  const root = isAfterRoot ? machine.nameOf(1) : undefined
  const { message, details } = findFailure(machine, outcome)
  const { code, byteOffset, line = 1, column = 1, expected } = details
  const make = (explanation: Explanation, back = 0) => {
    const position: Position = { byteOffset: byteOffset - back, line, column: column - back }
    const wanted = back > 0 ? undefined : expected
    return new LocatedError(explanation.message, explanation.code ?? code, explanation.constraint, position, wanted)
  }
  if (name !== undefined) {
    const constraint = 'WFC: Unique Att Spec'
    return make({ message: `duplicate attribute ${shorten(name)}`, code: 'duplicate-attribute', constraint })
  }
  const compression = byteOffset === context.documentStart ? explainCompression(machine, byteOffset) : undefined
  if (compression) return make({ message: compression })
  if (outcome !== 'failed') return make({ message })
  if (operation === Op.MATCH_SYMBOL && element && code !== 'unexpected-end') {
    return make(explainEndTag(machine, byteOffset, element, context))
  }
  const back = outcome === 'failed' ? lengthBeforeDeclaration(machine) : 0
  const found = back > 0 ? { ...context, markup: undefined } : context
  return make(new Explainer(machine, byteOffset - back, found, root).explain() ?? { message }, back)
}

/** Where `<!` begins nothing that may stand there, the machine has taken the `<` for that of a tag: how far before where it stands it is. */
function lengthBeforeDeclaration(machine: Machine): number {
  const { farthest } = machine
  const [before, after] = machine.copyInput(farthest - 1, farthest + 1)
  return before === 0x3c && after === 0x21 ? 1 : 0
}

/** Whether something that a message would say has not arrived completely. */
export function isMoreWanted(machine: Machine, outcome: Outcome): boolean {
  if (outcome !== 'failed' || machine.malformedAt !== undefined) return false
  const { farthest, validEnd } = machine
  if (operationOf(machine) !== Op.MATCH_SYMBOL) {
    const from = farthest - lengthBeforeDeclaration(machine)
    const ahead = machine.copyInput(from, Math.min(validEnd, from + AHEAD))
    const begun = new TextDecoder('latin1').decode(ahead).toUpperCase()
    return NAMED.some((text) => text.startsWith(begun) && text !== begun)
  }
  const end = Math.min(validEnd, farthest + CONTEXT)
  const { length } = machine.copyInput(farthest, end)
  const [name = ''] = NAME.exec(machine.textAt(farthest, end)) ?? []
  return length < CONTEXT && new TextEncoder().encode(name).length === length
}

function operationOf(machine: Machine): number {
  const { code } = machine.program as Program
  return (code[machine.programCounter] as number) & 255
}

function explainEndTag(
  machine: Machine,
  byteOffset: number,
  element: OpenElement,
  { input, markup }: SyntaxContext,
): Explanation {
  const before = machine.textAt(byteOffset - CONTEXT, byteOffset)
  const text = before + machine.textAt(byteOffset, Math.min(machine.validEnd, byteOffset + CONTEXT))
  const end = text.slice(before.lastIndexOf('</') + 2)
  const [name] = NAME.exec(end) ?? ['']
  if (name === end && element.name.startsWith(name) && machine.malformedAt === undefined) {
    return describeUnclosed(input, KINDS.endTag, placeOf(markup?.position))
  }
  const message = `the end tag </${name}> does not match <${shorten(element.name)}>${opened(element.place)}`
  return { message, code: 'tag-mismatch', constraint: 'WFC: Element Type Match' }
}

function describeUnclosed(input: string, what: string, place: string | undefined): Explanation {
  return { message: `${input} ends, but the ${what}${opened(place)} is not closed`, code: 'unexpected-end' }
}

/** What an input is that is not a document because it is compressed. */
function explainCompression(machine: Machine, start: number): string | undefined {
  // Not more than those by which the encoding was found: after malformed bytes no more is kept.
  const bytes = machine.copyInput(start, start + 4)
  const format = bytes.length < 4 ? 'none' : detectCompression(bytes)
  if (format === 'none') return undefined
  const isRead = format === 'gzip' || format === 'bzip2' || format === 'zstd'
  const hint = isRead ? 'decompress it with decompress from xylem/compression' : 'decompress it first'
  return `the input is not XML but compressed with ${format}: ${hint}`
}

/** Looks at the input around an error. */
class Explainer {
  readonly #context: SyntaxContext
  /** The name of the root element, when the error is after it. */
  readonly #root: string | undefined
  /** The input before the error and after it, as far as it is examined. */
  readonly #before: string
  readonly #after: string
  /** What was found, as a message would say it. */
  readonly #found: string
  readonly #isEnd: boolean
  /** Whether the input ends with the bytes after the error. */
  readonly #isCut: boolean
  readonly #place: number

  constructor(machine: Machine, place: number, context: SyntaxContext, root: string | undefined) {
    const end = Math.min(machine.validEnd, place + AHEAD)
    this.#isCut = end < place + AHEAD && machine.malformedAt === undefined
    this.#context = context
    this.#root = root
    this.#place = place
    this.#before = machine.textAt(Math.max(context.markup?.start ?? 0, place - CONTEXT), place)
    this.#after = machine.textAt(place, end)
    const [character = ''] = this.#after
    this.#isEnd = character === ''
    this.#found = this.#isEnd ? 'the input ends' : `found ${quoteCharacter(character)}`
  }

  /** Undefined where what the machine says is the best that can be said. */
  explain(): Explanation | undefined {
    switch (this.#context.markup?.kind) {
      case 'comment':
      case 'cdata':
        return this.#inLiteral(this.#context.markup)
      case 'instruction':
        return this.#inInstruction(this.#context.markup)
      case 'startTag':
      case 'endTag':
        return this.#inTag(this.#context.markup)
      case 'value':
        return this.#inValue(this.#context.markup)
      default:
        return this.#context.element ? this.#inElement(this.#context.element) : this.#outside()
    }
  }

  #unclosed({ kind, position }: OpenMarkup): Explanation {
    const { element, input } = this.#context
    const place = placeOf(position)
    const isOfElement = kind === 'startTag' && element && (place === undefined || place === element.place)
    const what = isOfElement && this.#before.length > 1 ? `start tag <${shorten(element.name)}>` : KINDS[kind]
    return describeUnclosed(input, what, place)
  }

  #inLiteral(markup: OpenMarkup): Explanation | undefined {
    const isUnclosed = this.#isEnd || (this.#isCut && this.#after === '--' && markup.kind === 'comment')
    if (isUnclosed) return this.#unclosed(markup)
    if (!this.#after.startsWith('--')) return undefined
    const place = placeOf(markup.position)
    return {
      message: `"--" is not allowed in a comment${opened(place)}`,
    }
  }

  #inInstruction(markup: OpenMarkup): Explanation | undefined {
    if (this.#isEnd) return this.#unclosed(markup)
    if (this.#before === '<?') return { message: `expected a name after "<?", but ${this.#found}` }
    return { message: `expected white space or "?>" after the target, but ${this.#found}` }
  }

  #inTag(markup: OpenMarkup): Explanation | undefined {
    const before = this.#before
    const { element, documentStart } = this.#context
    if (this.#isEnd || (this.#isCut && this.#after === '/')) {
      return before.length > 1 || !element ? this.#unclosed(markup) : this.#inElement(element)
    }
    if (before === '<' && this.#after.startsWith('/')) {
      return { message: `expected a name, but ${this.#found}: this end tag has no start tag` }
    }
    if (before === '<') {
      const hint = element || documentStart === undefined ? ' (write "<" in text as &lt;)' : ''
      return { message: `expected a name after "<", but ${this.#found}${hint}` }
    }
    if (markup.kind === 'endTag') return { message: `expected ">" at the end of the end tag, but ${this.#found}` }
    if (/=\s*$/.test(before)) return { message: `expected a value in quotes, but ${this.#found}` }
    const attribute = /\s([^\s"'=<>/]+)\s*$/.exec(before)?.[1]
    if (attribute !== undefined) {
      return { message: `expected "=" and a value after the attribute ${shorten(attribute)}, but ${this.#found}` }
    }
    if (this.#after.startsWith('/')) return { message: 'expected ">" immediately after "/" in a tag' }
    if (/["']$/.test(before)) return { message: `expected white space between attributes, but ${this.#found}` }
    const next = /\s$/.test(before) ? 'an attribute' : 'white space'
    return { message: `expected ${next}, ">" or "/>", but ${this.#found}` }
  }

  #inValue(markup: OpenMarkup): Explanation | undefined {
    if (this.#isEnd) return this.#unclosed(markup)
    if (!this.#after.startsWith('<')) return this.#inReference()
    const place = placeOf(markup.position)
    const message = `"<" is not allowed in a value: write &lt;, or close the value${opened(place)}`
    return { message, constraint: 'WFC: No < in Attribute Values' }
  }

  #inElement(element: OpenElement): Explanation | undefined {
    if (this.#isEnd) {
      return {
        message: `${this.#context.input} ends, but <${shorten(element.name)}>${opened(element.place)} is not closed`,
      }
    }
    return this.#inContent()
  }

  #inContent(): Explanation | undefined {
    const reference = this.#inReference()
    if (reference) return reference
    if (this.#after.startsWith(']]>')) return { message: '"]]>" is not allowed in text: write ]]&gt;' }
    return this.#after.startsWith('<!') ? this.#inDeclaration() : undefined
  }

  /** After an ampersand, in text and in values. */
  #inReference(): Explanation | undefined {
    const [, reference] = /&([^\s&;<>"']*)$/.exec(this.#before) ?? []
    if (reference === undefined) return undefined
    const hint = 'write an ampersand as &amp;'
    if (reference === '') return { message: `expected a name after "&", but ${this.#found}: ${hint}` }
    if (/^#x?$/.test(reference)) {
      const what = reference === '#' ? 'a decimal number or "x"' : 'a hexadecimal number'
      return { message: `expected ${what} after "&${reference}", but ${this.#found}` }
    }
    const end = `expected ";" after "&${reference}", but ${this.#found}`
    return { message: reference.startsWith('#') ? end : `${end}: ${hint}` }
  }

  /** At `<!`, where nothing begins that may stand there. */
  #inDeclaration(): Explanation {
    const after = this.#after
    if (this.#isCut && DECLARATIONS.some((start) => start.startsWith(after) && start !== after)) {
      const message = `${this.#context.input} ends in the middle of ${JSON.stringify(after)}`
      return { message, code: 'unexpected-end' }
    }
    const isInElement = this.#context.documentStart === undefined || this.#context.element !== undefined
    const capital = DECLARATIONS.find((start) => after.toUpperCase().startsWith(start))
    const isPossible = isInElement ? capital === '<![CDATA[' : capital === '<!DOCTYPE' && this.#root === undefined
    if (isPossible && !after.startsWith(capital as string)) return { message: `${capital} must be in capital letters` }
    if (capital === '<!DOCTYPE') {
      const isSecond = !isInElement && this.#root === undefined
      return { message: isSecond ? 'duplicate <!DOCTYPE' : '<!DOCTYPE is allowed only before the root element' }
    }
    if (capital === '<![CDATA[') return { message: 'a CDATA section is allowed only in an element' }
    const declaration = /^<!(?:ELEMENT|ATTLIST|ENTITY|NOTATION)/.exec(after)?.[0]
    if (declaration !== undefined) return { message: `${declaration} is allowed only in a document type declaration` }
    return { message: `expected "<!--"${isInElement ? ' or "<![CDATA["' : ''}, but found "<!"` }
  }

  /** Before the root element or after it, or in something that is not a document. */
  #outside(): Explanation | undefined {
    const { documentStart } = this.#context
    if (documentStart === undefined) return this.#inContent()
    if (this.#root !== undefined) {
      if (this.#after.startsWith('<!') && !/^<!(?:\[CDATA\[|DOCTYPE)/i.test(this.#after)) return this.#inDeclaration()
      return { message: `a document has one root element: after </${shorten(this.#root)}>, ${BEHIND_ROOT}` }
    }
    if (this.#isEnd) {
      const isEmpty = this.#place === documentStart
      return { message: isEmpty ? 'the document is empty' : 'the input ends, but there is no root element' }
    }
    if (this.#after.startsWith('<!')) return this.#inDeclaration()
    return { message: `expected "<", but ${this.#found}: text is allowed only in the root element` }
  }
}

function placeOf(position: TextPosition | undefined): string | undefined {
  return position && `${position.line}:${position.column}`
}

function opened(place: string | undefined): string {
  return place === undefined ? '' : ` opened at ${place}`
}

// Which programs are made of xml.bnf. They are assembled when xylem is built (npm run generate), and kept in generated/.

import { Grammar } from '../../grammar/grammar.ts'
import type { RuleAction } from '../../grammar/pattern/lower.ts'
import type { Program } from '../../machine/program/program.ts'

/** What programs signal while they run: a reference in content to a general entity that is not predefined. */
const REFERENCE = 1

/** Entities that every document has (section 4.6). */
const PREDEFINED = ['lt', 'gt', 'amp', 'quot', 'apos']

const ACTIONS: ReadonlyMap<string, RuleAction> = new Map<string, RuleAction>([
  ['tagName', { action: 'push', type: 'name' }],
  ['closingName', { action: 'match' }],
  ['emptyTag', { action: 'pop' }],
  ['attributes', { action: 'scope' }],
  ['attributeName', { action: 'unique', type: 'name' }],
])

/** If text is not a part, what reports references in it. */
const CHECK_ACTIONS: ReadonlyMap<string, RuleAction> = new Map<string, RuleAction>([
  ...ACTIONS,
  ['entityEnd', { action: 'signal', code: REFERENCE, unless: PREDEFINED }],
])

const PROLOG = ['declaration', 'doctype']
const CHECKED = [...PROLOG, 'startTag', 'emptyTag', 'endTag', 'characterReference', 'target']
const CONTENT = ['startTag', 'emptyTag', 'endTag', 'text', 'cdata', 'comment', 'instruction']

/** The programs by name: where they begin, what they deliver, and what they do with names. */
const PURPOSES = {
  /** A document with everything in it. */
  document: { entry: 'document', parts: [...PROLOG, ...CONTENT], actions: ACTIONS },
  /** A document of which no text is recorded. */
  check: { entry: 'document', parts: CHECKED, actions: CHECK_ACTIONS },
  /** Content that need not be a document, of which no text is recorded. */
  checkFragment: { entry: 'fragment', parts: CHECKED, actions: CHECK_ACTIONS },
  /** What need not be one. */
  fragment: { entry: 'fragment', parts: [...PROLOG, ...CONTENT], actions: ACTIONS },
  /** The replacement text of a general entity. */
  replacement: { entry: 'replacement', parts: CONTENT, actions: ACTIONS },
} as const

export type ProgramName = keyof typeof PURPOSES

/** The programs, from the text of xml.bnf. */
export function assemblePrograms(text: string): Record<ProgramName, Program> {
  const grammar = Grammar.from(text, { dialect: 'xylem' })
  const programs = Object.entries(PURPOSES).map(([name, { entry, parts, actions }]) => {
    const purpose = { entry, parts: new Set(parts), actions, isFlat: true, alphabet: 'xml' } as const
    return [name, grammar.compile(purpose).program]
  })
  return Object.fromEntries(programs) as Record<ProgramName, Program>
}

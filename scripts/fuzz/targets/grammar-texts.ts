// Damaged grammars: `Grammar.from` refuses them with a GrammarError, or they can be used. Nothing else is thrown, and nothing takes long.

import { readdirSync, readFileSync } from 'node:fs'
import { Grammar, GrammarError, writeTypes } from '../../../source/grammar/index.ts'
import { XylemError } from '../../../source/stream/xylem-error.ts'
import { makeRandomGrammar } from '../../../test/support/naive-grammar.ts'
import type { Random } from '../../../test/support/random.ts'
import type { FuzzCase, Target } from '../target.ts'

const FOLDER = new URL('../../../fixtures/grammar/', import.meta.url)
/** Tokens of the language, and text that is not one. */
const TOKENS = [
  ...['program', 'x', 'r1', '::=', ';', '|', '(', ')', '"a"', '""', '"', '[a-z]', '[^]', '[', ']', '->', '~"ä"', '~'],
  ...['?', '*', '+', '{2}', '{2,}', '{3,2}', '{0,0}', '{65536}', '{', '%', '...', '!', '&', '&!', '^', '@"no"', '@'],
  ...['#', '\n', '\r\n', '\\', '\\x4', '\\u{110000}', '\ud800', '\ufeff', '\0', '木', '🌳', '0', 'é'],
]
/** Text before and after a nested expression. */
const BRACKETS = [
  ['( ', ' )'],
  ['( ', ' )+'],
  ['( ', ' "b" )*'],
  ['( ', ' )?'],
  ['!( ', ' )'],
  ['%...( ', ' )'],
  ['&( ', ' )'],
  ['( "c" | ', ' )'],
] as const

/** An example grammar, or a random one. */
function makeText(random: Random): string {
  if (random.oneIn(2)) return makeRandomGrammar(random)
  const name = random.pick(readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory())).name
  return readFileSync(new URL(`${name}/${name}.bnf`, FOLDER), 'utf8')
}

function edit(text: string, random: Random): string {
  const at = random.below(text.length + 1)
  const end = Math.min(text.length, at + random.below(12))
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at) + text.slice(end)
    case 1:
      return text.slice(0, end) + text.slice(at)
    case 2:
      return text.slice(0, at) + nest(random) + text.slice(end)
    default:
      return text.slice(0, at) + random.many(1, 4, () => random.pick(TOKENS)).join(' ') + text.slice(end)
  }
}

function nest(random: Random): string {
  const depth = 2 ** random.below(10)
  const brackets = random.many(1, 3, () => random.pick(BRACKETS))
  const inOrder = Array.from({ length: depth }, (_, i) => brackets[i % brackets.length] as (typeof BRACKETS)[number])
  const ends = inOrder.toReversed().map(([, after]) => after)
  return `${inOrder.map(([before]) => before).join('')}"a"${ends.join('')}`
}

/** Whether an error is one of the documented ones. */
function isClear(error: unknown): boolean {
  return error instanceof XylemError || (error instanceof RangeError && 'code' in error)
}

async function judge({ parts, settings }: FuzzCase): Promise<string | undefined> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(parts[0])
  let grammar: Grammar
  try {
    grammar = Grammar.from(text, { dialect: settings.isXylem ? 'xylem' : 'bnf-parser' })
  } catch (error) {
    return error instanceof GrammarError ? undefined : `from: ${(error as Error).stack}`
  }
  for (const [name, use] of [
    ['warnings', () => grammar.warnings],
    ['types', () => writeTypes(grammar)],
    ['parse', () => grammar.parse('ab', { limits: { maxRewound: 1, freeRewound: 1_000_000 } })],
  ] as const) {
    try {
      use()
    } catch (error) {
      if (!isClear(error)) return `${name}: ${(error as Error).stack}`
    }
  }
  return undefined
}

export const grammarTexts: Target = {
  name: 'grammar-texts',
  open: async () => '',
  make(random) {
    let text = random.oneIn(20) ? '' : makeText(random)
    for (const _ of random.many(1, 4, () => 0)) text = edit(text, random)
    const bytes = new TextEncoder().encode(text)
    return { parts: [bytes], settings: { isXylem: random.oneIn(2) } }
  },
  judge,
}

// Reads grammars and parses with them, beside the page, so that one that takes long does not stop it.

import { Grammar, GrammarError } from 'xylem/grammar'
import { READY } from '../shell/worker-reserve.ts'
import { describeParseFailure } from './parse-failure.ts'
import type { GrammarAnswer, GrammarRequest } from './protocol.ts'
import { judgeRules, type ReadGrammar, type Verdict } from './rules/streaming-verdict.ts'
import { buffersOf, flattenTree } from './tree/flat-tree.ts'

type ValueAnswer = Extract<GrammarAnswer, { type: 'value' }>

/** Milliseconds after which verdicts are sent, and after which no more are worked out. */
const SEND_AFTER = 50
const JUDGE_FOR = 4000

/** The grammar that was read last: while only the input changes, it is not read again. */
let last: (ReadGrammar & { readonly verdicts: Verdict[]; readonly entries: Set<string> }) | undefined
/** The number of the last request. */
let wanted = 0

addEventListener('message', ({ data }: MessageEvent<GrammarRequest>) => {
  wanted = data.number
  void run(data)
})

function answer(message: GrammarAnswer, transfer: readonly ArrayBufferLike[] = []): void {
  postMessage(message, { transfer: transfer as ArrayBuffer[] })
}

async function run(request: GrammarRequest): Promise<void> {
  const { number, input } = request
  const read = readGrammar(request)
  if (!read) return
  const { grammar } = read
  const { rules } = grammar
  const entry = rules.some(({ name }) => name === request.entry) ? request.entry : grammar.entry
  answer({ type: 'rules', number, rules, entry })
  try {
    const began = performance.now()
    const root = grammar.parse(input, { entry })
    const milliseconds = performance.now() - began
    const tree = flattenTree(root, input)
    answer({ type: 'tree', number, tree, milliseconds, isFirst: !read.entries.has(entry) }, buffersOf(tree))
    read.entries.add(entry)
    if (grammar.hasFields(entry)) answer({ type: 'value', number, ...describeValue(grammar, entry, input) })
  } catch (error) {
    answer({ type: 'failure', number, failure: describeParseFailure(error, input) })
  }
  // A request that came meanwhile goes first.
  await nextTurn()
  if (number !== wanted) return
  answer({ type: 'warnings', number, warnings: warningsOf(grammar) })
  const isComplete = await judge(read, number)
  if (number === wanted) answer({ type: 'done', number, isComplete })
}

/** Characters of a value that are shown. */
const LONGEST_VALUE = 100_000

/** The value of an input that matches, or why there is none: the grammar may not say what it gives, or a text not be of its kind. */
function describeValue(
  grammar: Grammar,
  entry: string,
  input: string,
): Pick<ValueAnswer, 'text' | 'isCut' | 'isError'> {
  try {
    const text = JSON.stringify(grammar.value(input, { entry }), undefined, 2)
    return { text: text.slice(0, LONGEST_VALUE), isCut: text.length > LONGEST_VALUE, isError: false }
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isCut: false, isError: true }
  }
}

function readGrammar({ number, grammar: text, dialect }: GrammarRequest): typeof last {
  if (last?.text === text && last.dialect === dialect) return last
  try {
    last = { text, dialect, grammar: Grammar.from(text, { dialect }), verdicts: [], entries: new Set() }
    return last
  } catch (error) {
    last = undefined
    if (error instanceof GrammarError) {
      const { problems, errorCount } = error
      answer({ type: 'problems', number, problems, errorCount })
    } else {
      answer({ type: 'failure', number, failure: describeParseFailure(error, '') })
    }
    answer({ type: 'done', number, isComplete: false })
    return undefined
  }
}

/** A grammar may be so large that no program can be made of it: the parse has said so. */
function warningsOf(grammar: Grammar): Grammar['warnings'] {
  try {
    return grammar.warnings
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}

/** Sends the verdict about each rule. Returns whether all were sent. */
async function judge(read: NonNullable<typeof last>, number: number): Promise<boolean> {
  const { grammar, verdicts } = read
  const began = performance.now()
  let sent = began
  if (verdicts.length === grammar.rules.length) {
    answer({ type: 'verdicts', number, verdicts })
    return true
  }
  const found: Verdict[] = []
  try {
    for (const verdict of judgeRules(read)) {
      found.push(verdict)
      const now = performance.now()
      if (now - began > JUDGE_FOR) break
      if (now - sent < SEND_AFTER) continue
      sent = now
      answer({ type: 'verdicts', number, verdicts: found })
      await nextTurn()
      if (number !== wanted) return false
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  verdicts.splice(0, verdicts.length, ...found)
  answer({ type: 'verdicts', number, verdicts })
  return verdicts.length === grammar.rules.length
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

postMessage(READY)

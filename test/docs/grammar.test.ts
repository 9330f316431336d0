// The pages of the grammar language show what is really given: its examples are run, and what they give is compared. After a change that is meant,
// `npx vitest run test/docs --update --config vitest.all.config.ts` writes it anew.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Grammar, GrammarError, type SyntaxNode } from '../../source/grammar/index.ts'
import { formatProblem } from '../../source/grammar/syntax/errors.ts'
import type { Dialect } from '../../source/grammar/syntax/syntax.ts'
import { ParseError } from '../../source/text/parse-error.ts'
import { ExampleRunner } from '../support/examples.ts'
import { isThorough, range, sample } from '../support/extent.ts'
import { readPage, root } from '../support/markdown.ts'

const paths = ['docs/grammar.md', 'docs/grammar-reference.md']
const both = paths.map(readPage).join('')

/** A grammar, an input where there is one, and what it gives. */
const EXAMPLE =
  /```bnf( bnf-parser)?\n(.*?)```\n\n(?:```text\n(.*?)\n```\n\n)?```(value|value-error|tree|error|warning)\n(.*?)```/gs
const GRAMMAR = /```bnf(?: bnf-parser)?\n(.*?)```/gs

interface Example {
  readonly dialect: Dialect | undefined
  readonly source: string
  readonly input: string | undefined
  readonly kind: string
}

const examples = [...both.matchAll(EXAMPLE)].map((match) => toExample(match))
const grammars = [...both.matchAll(GRAMMAR)].map(([, source]) => source as string)

function toExample([, dialect, source, input, kind]: readonly (string | undefined)[]): Example {
  return { dialect: dialect ? 'bnf-parser' : undefined, source: source as string, input, kind: kind as string }
}

/** What an example gives, as the page has it. */
function run({ dialect, source, input, kind }: Example): string {
  try {
    const grammar = Grammar.from(source, { dialect })
    if (kind === 'warning') return `${grammar.warnings.map(formatProblem).join('\n\n')}\n`
    if (kind.startsWith('value')) return `${JSON.stringify(grammar.value(input ?? ''), undefined, 2)}\n`
    return format(grammar.parse(input ?? ''))
  } catch (error) {
    if (error instanceof ParseError) return `${error.report()}\n`
    if (error instanceof GrammarError) return `${error.message}\n`
    throw error
  }
}

/** A tree as the page has it: a node a line, indented by its depth. */
function format(node: SyntaxNode, depth = 0): string {
  const { type, value, start, end } = node
  const name = typeof value === 'string' ? JSON.stringify(value) : type
  const line = `${'  '.repeat(depth)}${name} ${start}-${end}\n`
  return typeof value === 'string' ? line : line + value.map((child) => format(child, depth + 1)).join('')
}

let runner: ExampleRunner
beforeAll(() => {
  runner = new ExampleRunner()
})
afterAll(() => runner.close())

/** A page with what its examples really give: those that start programs in `npm run test:all` alone, as of all pages but the README. */
function render(page: string): string {
  const withTrees = page.replace(EXAMPLE, (all: string, ...parts: string[]) => {
    const shown = parts[4] as string
    return `${all.slice(0, all.length - shown.length - 3)}${run(toExample([all, ...parts]))}\`\`\``
  })
  return isThorough ? runner.render(withTrees) : withTrees
}

describe('the pages of the grammar language', () => {
  test.each(paths)('show what their examples give: %s', async (path) => {
    await expect(render(readPage(path))).toMatchFileSnapshot(join(root, path))
  })

  test('have no example that is not run', () => {
    const count = (name: string) => both.split(`\n\`\`\`${name}\n`).length - 1
    expect(examples.length).toBe(
      ['value', 'value-error', 'tree', 'error', 'warning'].reduce((sum, name) => sum + count(name), 0),
    )
    // The language in itself is followed by nothing.
    expect(grammars.length).toBe(examples.length + 1)
  })

  test('have trees where they say trees, and errors where they say errors', () => {
    for (const example of examples) {
      const { source, dialect, input = '', kind } = example
      const isUsable = !throws(() => Grammar.from(source, { dialect }))
      if (kind === 'error') expect(isUsable && Grammar.from(source, { dialect }).test(input), source).toBe(false)
      else expect(isUsable, source).toBe(true)
      if (kind === 'tree' || kind.startsWith('value'))
        expect(Grammar.from(source, { dialect }).test(input), source).toBe(true)
      expect(run(example).trim(), source).not.toBe('')
    }
  })

  test.each(examples.filter(({ kind }) => kind === 'tree'))(
    'show the tree of both engines, and of streams cut anywhere: $source',
    async ({ source, dialect, input = '' }) => {
      const grammar = Grammar.from(source, { dialect })
      const tree = format(grammar.parse(input))
      expect(format(grammar.parse(input, { engine: 'plain' }))).toBe(tree)
      const bytes = new TextEncoder().encode(input)
      for (const at of sample(range(0, bytes.length + 1), 10)) {
        let streamed = ''
        for await (const node of grammar.stream([bytes.subarray(0, at), bytes.subarray(at)])) streamed += format(node)
        expect(streamed).toBe(tree)
      }
    },
  )
})

describe('the grammar of grammars', () => {
  const language = Grammar.from(grammars.at(-1) as string)

  test('reads all grammars of the reference that are understood, itself included, and no others', () => {
    for (const source of grammars) {
      // A range that is the wrong way round is well written.
      const written = source.replace('[z-a]', '[a-z]')
      const isUnread = problemsOf(written).some((code) => code === 'syntax' || code === 'other-notation')
      expect(language.test(written), source).toBe(!isUnread)
    }
  })

  test('reads the example grammars', () => {
    const folder = join(root, 'fixtures', 'grammar')
    const names = readdirSync(folder, { withFileTypes: true }).flatMap(({ name }) => (name.includes('.') ? [] : [name]))
    for (const name of names) expect(language.test(readFileSync(join(folder, name, `${name}.bnf`)))).toBe(true)
    expect(names.length).toBeGreaterThan(3)
  })

  test.each([
    'program ::= "a" ; # bye',
    '\ufeffprogram ::= "a"->"z"* ;',
    'program @"x"::= a[-a-]{2,}b@"c"^;\r\na#\n::= ~"\\"" "a" # b\n->"c" ;b ::= ( c )?|&!d ;',
  ])('reads %j', (source) => {
    expect(problemsOf(source)).not.toContain('syntax')
    expect(language.test(source)).toBe(true)
  })

  test.each([
    '',
    'program ::= ;',
    'program::= "a" ;',
    'program ::= "a"',
    'program ::= "a" | ;',
    'program ::= ( ) ;',
    'program ::= "a" * ;',
    'program ::= !%"a" ;',
    'program ::= "a"{,2} ;',
    'program ::= [] ;',
    'program ::= "a"\r"b" ;',
    '_a ::= "a" ;',
  ])('refuses %j', (source) => {
    expect(problemsOf(source)).toContain('syntax')
    expect(language.test(source)).toBe(false)
  })
})

/** The codes of what is wrong with a grammar. */
function problemsOf(source: string): string[] {
  try {
    return Grammar.from(source).warnings.map(({ code }) => code)
  } catch (error) {
    return (error as GrammarError).problems.map(({ code }) => code)
  }
}

function throws(act: () => unknown): boolean {
  try {
    act()
    return false
  } catch {
    return true
  }
}

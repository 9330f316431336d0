import { describe, expect, test } from 'vitest'
import {
  formatProblem,
  formatProblems,
  GrammarError,
  makeProblem,
  type Problem,
  type ProblemDetails,
  ProblemList,
} from '../../../source/grammar/syntax/errors.ts'
import { SourceText } from '../../../source/grammar/syntax/source-text.ts'

const text = 'x ::= "a" ;\r\n\ty ::= zz ;\nz ::= 🌳 ;'

const problemAt = (start: number, end: number, details: Partial<ProblemDetails> = {}) =>
  makeProblem(new SourceText(text), {
    code: 'unknown-rule',
    message: 'unknown rule zz',
    at: { start, end },
    ...details,
  })

test('a problem knows its line and column in UTF-16 units, from 1', () => {
  const at = text.indexOf('zz')
  expect(problemAt(at, at + 2)).toEqual({
    code: 'unknown-rule',
    severity: 'error',
    message: 'unknown rule zz',
    suggestion: undefined,
    start: at,
    end: at + 2,
    line: 2,
    column: 8,
    excerpt: ' y ::= zz ;\n       ^^',
  })
})

test('a problem after a character outside the BMP counts it as two', () => {
  const at = text.lastIndexOf(';')
  expect(problemAt(at, at + 1)).toMatchObject({ line: 3, column: 10, excerpt: 'z ::= 🌳 ;\n         ^' })
})

test('a problem that covers several lines shows the first of them', () => {
  expect(problemAt(6, text.length).excerpt).toBe('x ::= "a" ;\n      ^^^^^')
})

test('a problem at the end has one caret there', () => {
  expect(problemAt(text.length, text.length).excerpt).toBe('z ::= 🌳 ;\n          ^')
})

test('a problem at the start is in line 1, column 1, also when a line break is there', () => {
  const at = { start: 0, end: 0 }
  expect(makeProblem(new SourceText('\nx'), { code: 'syntax', message: 'm', at })).toMatchObject({ line: 1, column: 1 })
  expect(makeProblem(new SourceText(''), { code: 'syntax', message: 'm', at })).toMatchObject({
    line: 1,
    column: 1,
    excerpt: '\n^',
  })
})

test('a problem in a long line shows the text around it', () => {
  const long = `🌳${'a'.repeat(1000)}zz${'b'.repeat(1000)}`
  const locate = (start: number, end: number) => new SourceText(long).locate({ start, end }).excerpt.split('\n')
  expect(locate(1002, 1004)).toEqual([`…${'a'.repeat(60)}zz${'b'.repeat(58)}…`, `${' '.repeat(61)}^^`])
  expect(locate(0, 2)).toEqual([`🌳${'a'.repeat(118)}…`, '^^'])
  expect(locate(61, long.length)).toEqual([`…${'a'.repeat(120)}…`, `${' '.repeat(60)}${'^'.repeat(61)}`])
  expect(locate(long.length, long.length)).toEqual([`…${'b'.repeat(60)}`, `${' '.repeat(61)}^`])
})

test('text that is quoted is shortened where it is long', () => {
  const source = new SourceText(`"${'a'.repeat(58)}🌳${'b'.repeat(100)}"`)
  expect(source.quote({ start: 1, end: 61 })).toBe(`${'a'.repeat(58)}🌳`)
  expect(source.quote({ start: 0, end: 162 })).toBe(`"${'a'.repeat(58)}…`)
})

test('a problem is formatted with its excerpt and its suggestion', () => {
  const at = text.indexOf('zz')
  expect(formatProblem(problemAt(at, at + 2, { suggestion: 'did you mean z?' }))).toBe(
    ['unknown rule zz (line 2, column 8)', '   y ::= zz ;', '         ^^', '  did you mean z?'].join('\n'),
  )
})

test('an error says where the first problem is, and has everything that is known about it', () => {
  const problem = problemAt(0, 1)
  const error = new GrammarError({ problems: [problem], errorCount: 1 })
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({ name: 'GrammarError', code: 'invalid-grammar', line: 1, column: 1 })
  expect(error.excerpt).toBe(problem.excerpt)
  expect(error.problems).toEqual([problem])
  expect(error.message).toBe(formatProblem(problem))
})

test('an error with several problems lists them; a warning is among them, and not in the message', () => {
  const problems = [problemAt(0, 1, { severity: 'warning', message: 'w' }), problemAt(13, 14), problemAt(20, 22)]
  const error = new GrammarError({ problems, errorCount: 2 })
  expect(error.problems).toEqual(problems)
  expect(error.line).toBe(2)
  expect(error.message).toBe(
    ['2 problems in the grammar:', ...problems.slice(1).map((problem) => formatProblem(problem))].join('\n\n'),
  )
})

describe('many problems', () => {
  const many = Array.from({ length: 30 }, (_, i) => problemAt(i, i + 1, { message: `number ${i}` }))

  test('are shown up to the twentieth in a message, which says how many more there are', () => {
    const error = new GrammarError({ problems: many, errorCount: 5000, lastLine: 77 })
    expect(error.problems).toHaveLength(30)
    expect(error.errorCount).toBe(5000)
    const [head, ...shown] = error.message.split('\n\n')
    expect(head).toBe('5000 problems in the first 77 lines of the grammar:')
    expect(shown.slice(0, -1)).toEqual(many.slice(0, 20).map((problem) => formatProblem(problem)))
    expect(shown.at(-1)).toBe('and 4980 more')
    expect(formatProblems(many.slice(0, 20))).not.toContain('more')
  })

  test('are kept up to the thousandth of each severity, in the order of the text, and counted', () => {
    const list = new ProblemList(new SourceText('a'.repeat(5000)))
    for (let i = 5000; i > 0; i--) {
      const severity = i % 2 === 0 ? 'error' : 'warning'
      list.report({ code: 'syntax', severity, message: 'm', at: { start: i, end: i } })
      expect(list.isFull).toBe(i <= 3002)
    }
    const count = (severity: Problem['severity']) =>
      list.problems.filter((problem) => problem.severity === severity).length
    expect([list.errorCount, count('error'), count('warning')]).toEqual([2500, 1000, 1000])
    expect(list.problems.map(({ start }) => start)).toEqual(
      list.problems.map(({ start }) => start).sort((a, b) => a - b),
    )
  })
})

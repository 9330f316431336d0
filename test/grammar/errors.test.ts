import { expect, test } from 'vitest'
import { formatProblem, GrammarError, makeProblem, type ProblemDetails } from '../../source/grammar/errors.ts'

const text = 'x ::= "a" ;\r\n\ty ::= zz ;\nz ::= 🌳 ;'

const problemAt = (start: number, end: number, details: Partial<ProblemDetails> = {}) =>
  makeProblem(text, { code: 'unknown-rule', message: 'there is no rule zz', at: { start, end }, ...details })

test('a problem knows its line and column in UTF-16 units, from 1', () => {
  const at = text.indexOf('zz')
  expect(problemAt(at, at + 2)).toEqual({
    code: 'unknown-rule',
    severity: 'error',
    message: 'there is no rule zz',
    suggestion: undefined,
    start: at,
    end: at + 2,
    line: 2,
    column: 8,
    excerpt: ' y ::= zz ;\n       ^^',
  })
})

test('a problem behind a character outside the BMP counts it as two', () => {
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
  expect(makeProblem('\nx', { code: 'syntax', message: 'm', at })).toMatchObject({ line: 1, column: 1 })
  expect(makeProblem('', { code: 'syntax', message: 'm', at })).toMatchObject({ line: 1, column: 1, excerpt: '\n^' })
})

test('a problem is formatted with its excerpt and its suggestion', () => {
  const at = text.indexOf('zz')
  expect(formatProblem(problemAt(at, at + 2, { suggestion: 'did you mean z?' }))).toBe(
    ['there is no rule zz (line 2, column 8)', '   y ::= zz ;', '         ^^', '  did you mean z?'].join('\n'),
  )
})

test('an error tells where the first problem is, and has all that is known of it', () => {
  const problem = problemAt(0, 1)
  const error = new GrammarError([problem])
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({ name: 'GrammarError', code: 'invalid-grammar', line: 1, column: 1 })
  expect(error.excerpt).toBe(problem.excerpt)
  expect(error.problems).toEqual([problem])
  expect(error.message).toBe(formatProblem(problem))
})

test('an error with several problems lists them; a warning is among them, and not in the message', () => {
  const problems = [problemAt(0, 1, { severity: 'warning', message: 'w' }), problemAt(13, 14), problemAt(20, 22)]
  const error = new GrammarError(problems)
  expect(error.problems).toEqual(problems)
  expect(error.line).toBe(2)
  expect(error.message).toBe(
    ['2 problems in the grammar:', ...problems.slice(1).map((problem) => formatProblem(problem))].join('\n\n'),
  )
})

import { describe, expect, test } from 'vitest'
import { layOut, readHelp } from '../../../source/cli/help/help-text.ts'
import { COMMANDS, EXIT_CODES } from '../../../source/cli/main.ts'

const help = `
Prints elements, each as one
line of JSON.

Paths:
  page         elements with this name,
               at any depth
  a[].b=c/d
  elements[].f=g/h
               one list of records

Examples:
  xylem select page 'a folder/dump.xml.bz2' --field title --output "a table.csv"`

describe('a help text', () => {
  test('in many columns has its paragraphs on one line, and the rest as it is written', () => {
    expect(layOut(help, 100)).toBe(`
Prints elements, each as one line of JSON.

Paths:
  page         elements with this name, at any depth
  a[].b=c/d
  elements[].f=g/h
               one list of records

Examples:
  xylem select page 'a folder/dump.xml.bz2' --field title --output "a table.csv"`)
  })

  test('in few columns has descriptions below terms, and examples that a shell still understands', () => {
    expect(layOut(help, 40)).toBe(`
Prints elements, each as one line of
JSON.

Paths:
  page
      elements with this name, at any
      depth
  a[].b=c/d
  elements[].f=g/h
      one list of records

Examples:
  xylem select page \\
      'a folder/dump.xml.bz2' \\
      --field title \\
      --output "a table.csv"`)
  })

  test('is cut into paragraphs, rows and examples', () => {
    expect(readHelp(help).map(({ kind }) => kind)).toEqual([
      ...['blank', 'prose', 'blank', 'prose', 'row', 'example', 'row', 'blank', 'prose', 'example'],
    ])
  })

  const texts = [...COMMANDS.map(({ name, help }) => [name, help] as const), ['exit codes', EXIT_CODES] as const]
  test.each(texts)('fits into any number of columns, with all its words: %s', (_, text) => {
    const wordsOf = (one: string) => one.replaceAll(' \\\n', ' ').split(/\s+/)
    for (const columns of [24, 40, 60, 80, 100]) {
      const shown = layOut(text, columns)
      expect(wordsOf(shown)).toEqual(wordsOf(text))
      for (const line of shown.split('\n')) {
        // A word that is too long by itself is not cut.
        const isOneWord = !/\S\s+\S/.test(
          line
            .replace(/ \\$/, '')
            .replace(/--?[\w-]+ /, '')
            .replace(/'[^']*'|"[^"]*"/, 'x'),
        )
        if (!isOneWord) expect(line.length, line).toBeLessThanOrEqual(columns)
      }
    }
  })
})

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { layOut, readHelp } from '../../../source/cli/help/help-text.ts'
import { COMMANDS, EXIT_CODES } from '../../../source/cli/main.ts'
import { run } from '../../support/command.ts'

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

// Help in the columns that there are: those of a terminal, of COLUMNS, or 80.

afterEach(() => vi.unstubAllEnvs())

const longest = (text: string) => Math.max(...text.split('\n').map((line) => line.trimEnd().length))

async function helpOf(args: string[], columns: string): Promise<string> {
  vi.stubEnv('COLUMNS', columns)
  const { code, stdout, stderr } = await run([...args, '--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

describe('help', () => {
  test.each([['60'], ['40']])('of every command fits into %s columns', async (columns) => {
    for (const args of [[], ...COMMANDS.map(({ name }) => [name])]) {
      const lines = (await helpOf(args, columns)).split('\n')
      // Names of files are not cut.
      const long = lines.filter((line) => line.length > Number(columns) && !/^\s*[\w./:-]+( \\)?$/.test(line.trim()))
      expect(long.filter((line) => !/^ {6}(\S+|'[^']*'|--?\S+ \S+)( \\)?$/.test(line))).toEqual([])
    }
  })

  test.each([[''], ['0'], ['many']])('has 80 columns where COLUMNS is %j', async (columns) => {
    expect(await helpOf(['pages'], columns)).toBe(await helpOf(['pages'], '80'))
    expect(longest(await helpOf([], columns))).toBeLessThanOrEqual(80)
  })

  test('says the same words in any number of columns', async () => {
    const wordsOf = async (columns: string) => (await helpOf(['select'], columns)).replaceAll(' \\\n', ' ').split(/\s+/)
    const words = await wordsOf('100')
    for (const columns of ['1', '24', '40', '60', '80', '300']) expect(await wordsOf(columns)).toEqual(words)
  })

  test.runIf(existsSync('/usr/bin/script'))('has the columns of a terminal, whatever COLUMNS is', () => {
    const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))
    const command = `stty cols 60; "${process.execPath}" "${main}" pages --help`
    const text = execFileSync('script', ['-qec', command, '/dev/null'], { env: { ...process.env, COLUMNS: '200' } })
    const columns = longest(text.toString().replaceAll('\r', ''))
    expect(columns).toBeGreaterThan(50)
    expect(columns).toBeLessThanOrEqual(60)
  })
})

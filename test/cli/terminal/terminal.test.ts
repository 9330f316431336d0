// What is sent to terminals: no colours, whatever they allow, and one control sequence, where a line can be replaced.

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ProgressLine } from '../../../source/cli/output/progress.ts'
import { columnsOf } from '../../../source/cli/terminal/terminal.ts'
import { sample } from '../../support/extent.ts'
import { fixturePath } from '../../support/fixtures.ts'

const source = fileURLToPath(new URL('../../../source/cli', import.meta.url))
const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))
const kept = Object.getOwnPropertyDescriptor(process, 'stderr') as PropertyDescriptor

afterEach(() => {
  Object.defineProperty(process, 'stderr', kept)
  vi.unstubAllEnvs()
})

/** Puts a terminal in the place of standard error. Returns what is written to it. */
function imitateTerminal(columns: number): string[] {
  const written: string[] = []
  const value = { isTTY: true, columns, write: (text: string) => written.push(text) }
  Object.defineProperty(process, 'stderr', { value, configurable: true })
  return written
}

async function showProgress(columns: number): Promise<string[]> {
  const written = imitateTerminal(columns)
  const line = new ProgressLine(true)
  await sleep(220)
  line.update({ bytesRead: 25_000_000, totalBytes: 100_000_000 }, 1234)
  line.clear()
  return written
}

describe('progress', () => {
  test('is one line, which is cut to the terminal and erased at the end', async () => {
    vi.stubEnv('TERM', 'xterm')
    const erased = '\r\u001b[K'
    expect(await showProgress(30)).toEqual([`${erased}25.0 of 100.0 MB (25 %), 1,23`, erased])
    const [line] = await showProgress(0)
    expect(line).toContain('(25 %), 1,234 pages')
  })

  test('is not shown where a line cannot be replaced (TERM=dumb)', async () => {
    vi.stubEnv('TERM', 'dumb')
    expect(await showProgress(80)).toEqual([])
  })
})

test('the columns are those of a terminal, or of COLUMNS, or 80', () => {
  const terminal = (columns: number) => ({ isTTY: true, columns }) as NodeJS.WriteStream
  const pipe = {} as NodeJS.WriteStream
  vi.stubEnv('COLUMNS', '60')
  expect([terminal(40), terminal(0), pipe].map(columnsOf)).toEqual([40, 80, 60])
  for (const nonsense of ['', '0', 'x']) {
    vi.stubEnv('COLUMNS', nonsense)
    expect(columnsOf(pipe)).toBe(80)
  }
})

describe('the command line', () => {
  test('has control sequences in one place only, and no colours', () => {
    for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((one) =>
      one.endsWith('.ts'),
    )) {
      const text = readFileSync(join(source, file), 'utf8')
      const sequences = text.match(/\\(u001b|x1b|e|033)\[.*?[A-Za-z]/g) ?? []
      expect(sequences, file).toEqual(file === join('terminal', 'terminal.ts') ? ['\\u001b[K'] : [])
      expect(text, file).not.toContain('styleText')
    }
  })

  test
    .runIf(existsSync('/usr/bin/script'))
    .each(sample([[{ NO_COLOR: '1' }], [{ FORCE_COLOR: '1' }], [{ TERM: 'dumb' }]], 1))(
    'sends a terminal nothing but text with %j',
    (more) => {
      const commands = ['--help', 'selct', `pages "${fixturePath('mediawiki/small-dump.xml')}" --limit 1`]
      const command = commands.map((args) => `"${process.execPath}" "${main}" ${args}`).join(';')
      const shown = execFileSync('script', ['-qc', command, '/dev/null'], {
        env: { ...process.env, ...more },
      }).toString()
      expect(shown).toContain("unknown command 'selct'")
      expect(shown).not.toContain('\u001b')
    },
  )

  test.runIf(existsSync('/usr/bin/script'))('does not send a terminal the bytes of a table', () => {
    const dump = fixturePath('mediawiki/small-dump.xml')
    const command = `"${process.execPath}" "${main}" pages "${dump}" --fields id --format arrows; echo "exit $?"`
    const shown = execFileSync('script', ['-qc', command, '/dev/null']).toString()
    expect(shown).toBe('xylem: a terminal cannot show arrows: use --output, or a pipe\r\nexit 2\r\n')
  })
})

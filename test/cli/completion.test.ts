// Completion, in the shells themselves where they are installed.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../source/cli/main.ts'
import { formatNames } from '../../source/record/format/index.ts'
import { run } from '../support/command.ts'

const hasShell = (name: string) => spawnSync(name, ['-c', 'exit']).status === 0
const names = COMMANDS.map(({ name }) => name)

let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-completion-'))
  writeFileSync(join(folder, 'feed.rss'), '<rss/>')
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await run(['completion', shell])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    writeFileSync(join(folder, `xylem.${shell}`), stdout)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

function runIn(shell: string, options: readonly string[], script: string): string[] {
  const env = { ...process.env, HOME: folder }
  return execFileSync(shell, [...options, '-c', script], { cwd: folder, env, encoding: 'utf8' })
    .split('\n')
    .slice(0, -1)
}

test('there is completion for three shells, and for no other', async () => {
  const { code, stderr } = await run(['completion', 'tcsh'])
  expect(code).toBe(2)
  expect(stderr).toContain('It must be bash, zsh or fish.')
  expect((await run(['completion'])).code).toBe(2)
})

/** What is typed, and what the words are that the last one may become. Nothing: names of files. */
const TYPED: readonly (readonly [words: string[], found: string[]])[] = [
  [['sel'], ['select']],
  [[''], [...names, 'help']],
  [['--v'], ['--version']],
  [['pages', '--fo'], ['--format']],
  [['pages', '--format', ''], formatNames()],
  [
    ['pages', 'dump.xml', '--redirects', 'o'],
    ['out', 'only'],
  ],
  [['parse', '--dialect', 'b'], ['bnf-parser']],
  [['select', '--nested', 'inner'], ['innermost']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [
    ['help', 'pa'],
    ['pages', 'parse'],
  ],
  [['select', 'item', 'fe'], []],
  [['pages', '--output', 'fe'], []],
]

describe('completion in bash', () => {
  const complete = (words: readonly string[]) =>
    runIn(
      'bash',
      ['--norc'],
      `source ./xylem.bash; COMP_WORDS=(xylem ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _xylem; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ).filter(Boolean)

  test.skipIf(!hasShell('bash')).each(TYPED)('of xylem %j gives %j (skipped without bash)', (words, found) => {
    expect(complete(words)).toEqual(found)
  })

  test.skipIf(!hasShell('bash'))('finds words after an equals sign (skipped without bash)', () => {
    expect(complete(['pages', '--format', '=', 'c'])).toEqual(['csv'])
    expect(complete(['pages', '--format', '='])).toEqual(formatNames())
  })

  test.skipIf(!hasShell('bash'))(
    'is set for xylem, with files where nothing else is found (skipped without bash)',
    () => {
      expect(runIn('bash', ['--norc'], 'source ./xylem.bash; complete -p xylem')).toEqual([
        'complete -o default -F _xylem xylem',
      ])
    },
  )
})

describe('completion in fish', () => {
  const complete = (typed: string) =>
    runIn('fish', ['--no-config'], `source xylem.fish; complete -C'${typed}'`).map((line) => line.split('\t'))

  test.skipIf(!hasShell('fish')).each(TYPED)('of xylem %j gives %j (skipped without fish)', (words, found) => {
    const wanted = found.length === 0 ? ['feed.rss'] : found
    const completed = complete(['xylem', ...words].join(' ')).map(([word]) => word)
    expect(completed.toSorted()).toEqual(wanted.toSorted())
  })

  test.skipIf(!hasShell('fish'))('shows what commands and options do (skipped without fish)', () => {
    expect(complete('xylem sel')).toEqual([['select', COMMANDS.find(({ name }) => name === 'select')?.summary]])
    expect(complete('xylem check --no-n')).toEqual([
      ['--no-namespaces', 'do not process namespaces; accept any colons in names'],
    ])
    expect(complete('xylem pages --format=c').map(([word]) => word)).toEqual(['--format=csv'])
  })
})

describe('completion in zsh', () => {
  test.skipIf(!hasShell('zsh'))('is a script that zsh can read (skipped without zsh)', () => {
    expect(spawnSync('zsh', ['-n', join(folder, 'xylem.zsh')], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
  })

  test.skipIf(!hasShell('zsh'))(
    'completes commands, options and words at Tab (skipped without zsh)',
    { timeout: 60_000 },
    () => {
      // A shell in a pseudo-terminal: keys are pressed, and what it shows is read until all that is wanted has come.
      const script = `
zmodload zsh/zpty
zpty shell zsh -f
zpty -w shell "unsetopt prompt_sp; zstyle ':completion:*' insert-unambiguous true; source ./xylem.zsh; print RE''ADY"
wait_for() {
  local out all=
  repeat 400 {
    if zpty -rt shell out; then all+=$out; else sleep 0.05; fi
    if [[ $all == *$1* ]]; then print -r -- "found $1"; return; fi
  }
  print -r -- "not found $1 in $all"
}
wait_for READY
zpty -w -n shell $'xylem sel\\t'; wait_for select
zpty -w -n shell $'\\C-uxylem pages --forma\\tc\\t'; wait_for '=csv'
zpty -w -n shell $'\\C-uxylem pages --redirects \\t'; wait_for only
zpty -w -n shell $'\\C-uxylem completion f\\t'; wait_for fish
zpty -w -n shell $'\\C-uxylem select item fe\\t'; wait_for feed.rss
zpty -d shell`
      const found = ['READY', 'select', '=csv', 'only', 'fish', 'feed.rss'].map((word) => `found ${word}`)
      expect(runIn('zsh', ['-f'], script)).toEqual(found)
    },
  )
})

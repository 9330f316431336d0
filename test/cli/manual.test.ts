// The man page, which is made from the table of commands.

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../source/cli/main.ts'
import { readFlags } from '../../source/cli/options/option.ts'
import { isThorough } from '../support/extent.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const path = fileURLToPath(new URL('../../man/xylem.1', import.meta.url))
const hasProgram = (name: string) => spawnSync(name, ['--version']).error === undefined

describe('the man page', () => {
  test.runIf(isThorough)('follows from the table of commands', { timeout: 60_000 }, () => {
    execFileSync(process.execPath, ['--import', 'tsx', 'scripts/generate-manual.ts', '--check'], { cwd: root })
  })

  test('is in the package, which says where', () => {
    const { man, files } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(man).toEqual(['./man/xylem.1'])
    expect(files).toContain('man')
  })

  test('has every command and every option', () => {
    const text = readFileSync(path, 'utf8').replaceAll('\\-', '-')
    for (const { name, options } of COMMANDS) {
      expect(text).toContain(`.SS xylem ${name} `)
      for (const [flags] of options) expect(text).toContain(readFlags(flags).long)
    }
  })

  test.skipIf(!hasProgram('groff'))('is read by groff without a warning (skipped without groff)', () => {
    const { status, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-z', '-ww', path], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  test.skipIf(!hasProgram('groff'))('shows examples as they are typed (skipped without groff)', () => {
    const { stdout } = spawnSync('groff', ['-man', '-Tutf8', '-P-cbou', path], { encoding: 'utf8' })
    expect(stdout).toContain("xylem pages 'dumps/*.xml*.bz2' --fields id,title,revision.text --output pages.csv.gz")
    expect(stdout).toContain('xylem completion zsh > ~/.zfunc/_xylem')
  })
})

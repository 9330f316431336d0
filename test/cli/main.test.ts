import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { run } from '../support/command.ts'

describe('xylem', () => {
  test('--help lists the commands and the exit codes', async () => {
    const { code, stdout, stderr } = await run(['--help'])
    expect(code).toBe(0)
    expect(stderr).toBe('')
    expect(stdout).toMatch(/pages .*print the pages of dumps as JSON lines/)
    for (const exitCode of [0, 1, 2, 3, 4, 5, 130, 143]) expect(stdout).toContain(String(exitCode))
  })

  test('pages --help lists every option, with examples', async () => {
    for (const args of [
      ['pages', '--help'],
      ['help', 'pages'],
    ]) {
      const { code, stdout } = await run(args)
      expect(code).toBe(0)
      for (const option of ['--limit', '--ns', '--output', '--quiet', 'Examples:']) expect(stdout).toContain(option)
    }
  })

  test('ends quietly when the reader of its help has gone', () => {
    const main = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
    const command = `("${process.execPath}" "${main}" --help; echo $? >&2) | true`
    expect(spawnSync('sh', ['-c', command], { encoding: 'utf8' }).stderr).toBe('0\n')
  })

  test('--version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    for (const flag of ['--version', '-v', '-V'])
      expect(await run([flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
    const { stdout } = await run(['--help'])
    expect(stdout).toContain('-v, --version')
    expect(stdout).not.toContain('-V')
  })

  test.each([[['selct']], [['help', 'selct']], [['selct', '--help']], [['selct', 'item', 'feed.rss']]])(
    'suggests the nearest command for one that there is not: %j',
    async (args) => {
      expect(await run(args)).toEqual({
        code: 2,
        stdout: '',
        stderr: "xylem: unknown command 'selct'\n(Did you mean select?)\n(see xylem --help)\n",
      })
    },
  )

  test.each([[['help', 'help']], [['help']], [['help', '--help']]])('prints help for %j', async (args) => {
    expect((await run(args)).stdout).toContain('Usage: xylem')
  })
})

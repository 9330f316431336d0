// Programs that start xylem: the last line on standard error, and standard input that they hold open.

import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runCommandLine } from '../../../source/cli/main.ts'
import { openTrailer } from '../../../source/cli/terminal/parent.ts'
import { finish, hasOpened, type Outcome, run, start } from '../../support/command.ts'
import { isThorough } from '../../support/extent.ts'
import { fixturePath } from '../../support/fixtures.ts'

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))
const dump = fixturePath('mediawiki/small-dump.xml')
const MARK = 'parent-7Qx'

let folder = ''
const path = (name: string) => join(folder, name)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-parent-'))
  writeFileSync(path('rows.xml'), '<t><r id="1"/><r id="2"/><r id="3"/></t>')
  writeFileSync(path('more.xml'), '<t><r id="4"/></t>')
  writeFileSync(path('bad.xml'), '<t><r id="1"/>\n<r id="2"></s></t>')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts xylem as a program does that watches it, with standard input held open. */
function startWatched(args: readonly string[], mark = MARK): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, XYLEM_TRAILER: mark } })
  child.stdin.on('error', () => {})
  return child
}

/** Runs a command within this process, as one that was started so. */
async function runWatched(args: readonly string[], input = ''): Promise<Outcome> {
  const trailer = path('trailer')
  const load = async () => ({
    async runCommandLine(given: readonly string[]): Promise<number> {
      process.env.XYLEM_TRAILER = MARK
      const fd = openSync(trailer, 'w')
      Object.assign(process.stderr, { fd })
      try {
        const writeTrailer = await openTrailer()
        const code = await runCommandLine(given)
        writeTrailer(code)
        return code
      } finally {
        closeSync(fd)
        delete process.env.XYLEM_TRAILER
      }
    },
  })
  const outcome = await run([...args], input, load as Parameters<typeof run>[2])
  return { ...outcome, stderr: outcome.stderr + readFileSync(trailer, 'utf8') }
}

/** What a command says at its end, where its trailer is the last line and there is no other. */
async function watch(running: ChildProcessWithoutNullStreams | Promise<Outcome>) {
  const { code, stdout, stderr } = await (running instanceof Promise ? running : finish(running))
  const lines = stderr.split('\n')
  expect(lines.pop()).toBe('')
  const last = lines.pop() ?? ''
  expect(last.startsWith(`${MARK} `), stderr).toBe(true)
  expect(lines.filter((line) => line.includes(MARK))).toEqual([])
  const trailer = JSON.parse(last.slice(MARK.length))
  expect(trailer.exitCode).toBe(code)
  return { trailer, told: lines, stdout }
}

const runAndWatch = (...args: string[]) => watch(runWatched(args))

describe('the trailer of a command that a program has started', () => {
  test('has the rows and the bytes that went to standard output', async () => {
    const { trailer, stdout, told } = await runAndWatch(
      'select',
      'r',
      path('rows.xml'),
      path('more.xml'),
      '--field',
      'id=@id',
    )
    expect(trailer).toEqual({ exitCode: 0, rows: 4, bytes: stdout.length })
    expect(stdout).toBe('{"id":"1"}\n{"id":"2"}\n{"id":"3"}\n{"id":"4"}\n')
    expect(told).toEqual([])
  })

  test.each([
    ['select r rows.xml', 3],
    ['select r rows.xml --xml --limit 2', 2],
    ['select r rows.xml --field id=@id --format csv', 3],
    ['select r rows.xml --field id=@id --format json --limit 0', 0],
    ['parse --grammar @csv rows.csv', 2],
    ['parse --grammar @csv --tree rows.csv', 1],
  ])('counts the rows of: %s', async (line, rows) => {
    writeFileSync(path('rows.csv'), 'a,b\n1,2\n')
    const args = line.split(' ').map((word) => (/\.(xml|csv)$/.test(word) ? path(word) : word))
    const { trailer, stdout } = await runAndWatch(...args)
    expect(trailer).toEqual({ exitCode: 0, rows, bytes: Buffer.byteLength(stdout) })
  })

  test('counts the rows of a process that prints columns', async () => {
    const child = startWatched(['select', '--infer', path('rows.xml'), '--each', 'r', '--format', 'arrows'])
    let bytes = 0
    child.stdout.on('data', ({ length }: Buffer) => (bytes += length))
    expect((await watch(child)).trailer).toEqual({ exitCode: 0, rows: 3, bytes })
  })

  test.each([
    ['pages', 1],
    ['revisions', 2],
  ])('counts the rows of %s on several threads', async (kind, most) => {
    const { trailer, stdout } = await runAndWatch(kind, dump, '--jobs', '2', '--verify')
    expect(trailer.rows).toBe(stdout.split('\n').length - 1)
    expect(trailer.rows).toBeGreaterThan(most)
    expect(trailer.bytes).toBe(Buffer.byteLength(stdout))
  })

  test('has the rows of a file, and no bytes of it', async () => {
    const { trailer } = await runAndWatch('select', 'r', path('rows.xml'), '--output', path('out.jsonl'))
    expect(trailer).toEqual({ exitCode: 0, rows: 3, bytes: 0 })
  })

  test('is there after help and versions', async () => {
    const { trailer, stdout } = await runAndWatch('--version')
    expect(trailer).toEqual({ exitCode: 0, bytes: stdout.length })
  })

  test('comes after warnings, which do not make an error', async () => {
    const { trailer, told } = await runAndWatch('pages', dump, '--ns', '0,12')
    expect(told).toEqual(['xylem: warning: no page found in namespace 12'])
    expect(trailer).toEqual({ exitCode: 0, rows: expect.any(Number), bytes: expect.any(Number) })
  })

  test('says that nothing was found', async () => {
    const { trailer } = await runAndWatch('select', 'q', path('rows.xml'))
    const error = { message: 'no element found', code: 'nothing-found' }
    expect(trailer).toEqual({ exitCode: 1, rows: 0, bytes: 0, error })
    const { trailer: field } = await runAndWatch('select', 'r', path('rows.xml'), '--field', 'x')
    expect(field).toMatchObject({ exitCode: 1, rows: 3, error: { message: 'nothing found for the field x' } })
  })

  test('says where a document is malformed, and claims no rows', async () => {
    const { trailer, told } = await runAndWatch('select', 'r', path('bad.xml'))
    expect(trailer).toEqual({
      exitCode: 3,
      bytes: 53,
      error: {
        message: expect.stringContaining('bad.xml: the end tag </s> does not match <r> opened at 2:1'),
        code: 'tag-mismatch',
        file: path('bad.xml'),
        byteOffset: 27,
        line: 2,
        column: 13,
      },
    })
    expect(told[0]).toBe(`xylem: ${trailer.error.message}`)
  })

  test('has the first error that was skipped', async () => {
    const text = readFileSync(dump, 'utf8')
    writeFileSync(path('skipped.xml'), text.replace('</page>', '</pag>'))
    const { trailer } = await runAndWatch('pages', path('skipped.xml'), '--on-error', 'skip-page')
    expect(trailer).toMatchObject({
      exitCode: 1,
      rows: expect.any(Number),
      error: { code: 'tag-mismatch', file: path('skipped.xml'), line: expect.any(Number) },
    })
  })

  test('says which file is missing', async () => {
    const { trailer } = await runAndWatch('select', 'r', path('none.xml'))
    const error = { message: `${path('none.xml')}: no such file`, code: 'ENOENT', file: path('none.xml') }
    expect(trailer).toEqual({ exitCode: 5, bytes: 0, error })
  })

  test.each([
    [['select', 'r', '--limit', 'many'], "option '--limit <n>' argument 'many' is invalid"],
    [['selct'], "unknown command 'selct'"],
    [['select', '--infer', '--path', 'r', 'x.xml'], '--infer cannot be used together with --path'],
    [['read', '{}'], 'not a range'],
  ])('says that the command line is wrong: %j', async (args, message) => {
    const { trailer } = await runAndWatch(...args)
    const error = { message: expect.stringContaining(message), code: 'usage' }
    expect(trailer).toEqual({ exitCode: 2, bytes: 0, error })
  })

  test('says that an output cannot be written', async () => {
    const { trailer } = await runAndWatch('select', 'r', path('rows.xml'), '--output', path('none/x.jsonl'))
    expect(trailer).toMatchObject({ exitCode: 5, error: { code: 'ENOENT', file: path('none/x.jsonl') } })
  })

  test('is not written for a mark that could be mistaken, and nothing is done', async () => {
    expect(await finish(startWatched(['--version'], 'a b'))).toEqual({
      code: 2,
      stdout: '',
      stderr: 'xylem: XYLEM_TRAILER must be letters, digits and hyphens\n',
    })
  })
})

describe('xylem read', () => {
  let ranges: string[] = []

  beforeAll(async () => {
    const { stdout } = await run(['plan', dump, '--range-size', '3000', '--format', 'arrows'])
    ranges = stdout.split('\n').slice(1, -1)
  })

  test('prints nothing but the range, and its sealed trailer at the end', async () => {
    const child = startWatched(['read', ranges[0] as string])
    const bytes: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => bytes.push(chunk))
    const { trailer } = await watch(child)
    const stream = Buffer.concat(bytes)
    // The mark of the end of an Arrow stream.
    expect(stream.subarray(-8).toString('hex')).toBe('ffffffff00000000')
    const { range, rows } = trailer
    const { seal, ...sealed } = range
    expect(seal).toBe(createHash('sha256').update(JSON.stringify(sealed)).digest('hex'))
    expect(range).toMatchObject({ range: JSON.parse(ranges[0] as string).id, records: rows, bytes: stream.length })
    expect(range.digest).toBe(createHash('sha256').update(stream).digest('hex'))
    expect(trailer.bytes).toBe(stream.length)
    // What is not a program gets no stream with a line of JSON after it.
    expect(await run(['read', ranges[0] as string])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'xylem: cannot print arrows, because a line with the trailer follows on standard output; use --output\n',
    })
  })

  test('has the trailer of a part as well, which its manifest is', async () => {
    const { id } = JSON.parse(ranges[0] as string)
    const { trailer } = await runAndWatch('read', ranges[0] as string, '--output', path('parts'))
    expect(trailer).toEqual({ exitCode: 0, rows: trailer.range.records, bytes: 0, range: expect.anything() })
    const manifest = readFileSync(path(`parts/_manifest/${id}.json`), 'utf8')
    expect(`${JSON.stringify(trailer.range)}\n`).toBe(manifest)
  })

  test('takes the first line of standard input, which stays open', async () => {
    const child = startWatched(['read', '-'])
    const line = Buffer.from(`${ranges[1]}\n${ranges[2]}\n`)
    child.stdin.write(line.subarray(0, 20))
    setTimeout(() => child.stdin.write(line.subarray(20)), 20)
    const { trailer } = await watch(child)
    expect(trailer).toMatchObject({ exitCode: 0, range: { range: JSON.parse(ranges[1] as string).id } })
  })

  test('reads a range that is all of standard input', async () => {
    expect((await watch(runWatched(['read', '-'], ranges[1]))).trailer).toMatchObject({
      exitCode: 0,
      range: { faults: 0 },
    })
  })
})

describe('a command that is stopped', () => {
  /** Starts a command that waits for more of a document in a pipe. Returns the pipe, which stays open, as well. */
  async function startWaiting(name: string, text: string, ...more: string[]) {
    const fifo = path(name)
    execFileSync('mkfifo', [fifo])
    const child = startWatched(['select', 'r', fifo, ...more])
    const pipe = await open(fifo, 'r+')
    onTestFinished(() => pipe.close())
    await pipe.write(text)
    while (!hasOpened(child.pid as number, fifo)) await sleep(5)
    return child
  }

  test('by SIGTERM says so, and claims no rows', async () => {
    const child = await startWaiting('terminated', '<t><r/><x/>')
    await once(child.stdout, 'readable')
    child.kill('SIGTERM')
    const error = { message: 'interrupted by SIGTERM', code: 'interrupted' }
    expect((await watch(child)).trailer).toEqual({ exitCode: 143, bytes: 43, error })
  })

  test('because standard input was closed ends at once, also while it prints nothing', async () => {
    const child = await startWaiting('closed', '<t>', '--output', path('closed.jsonl'))
    child.stdin.end()
    expect((await watch(child)).trailer).toMatchObject({ exitCode: 143, bytes: 0, error: { code: 'interrupted' } })
    expect(readdirSync(folder).filter((name) => name.startsWith('closed.jsonl'))).toEqual([])
  })

  test('because the reader of its output has gone says so, and claims no rows', async () => {
    const child = startWatched(['select', 'r'])
    child.stdin.write('<t><r/><x/>')
    await once(child.stdout, 'readable')
    child.stdout.destroy()
    child.stdin.write('<r/>')
    const error = { message: 'the reader of the output has gone', code: 'reader-gone' }
    expect((await watch(child)).trailer).toEqual({ exitCode: 0, bytes: 43, error })
  })

  test('by an end of standard input is none that reads it itself', async () => {
    const child = startWatched(['select', 'r'])
    child.stdin.end('<t><r/></t>')
    expect((await watch(child)).trailer).toMatchObject({ exitCode: 0, rows: 1 })
    if (!isThorough) return
    const shaped = startWatched(['select', 'r', path('rows.xml'), '--shape', '-'])
    shaped.stdin.end('{"id":"@id"}')
    expect((await watch(shaped)).trailer).toMatchObject({ exitCode: 0, rows: 3 })
  })

  test.runIf(isThorough)(
    'by an end of standard input is none whose standard input is a file, or that nobody has marked',
    async () => {
      const ignored = spawn(process.execPath, [main, 'select', 'r', path('rows.xml')], {
        env: { ...process.env, XYLEM_TRAILER: MARK },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      expect((await watch(ignored as unknown as ChildProcessWithoutNullStreams)).trailer).toMatchObject({ rows: 3 })
      const free = start('select', 'r', path('rows.xml'))
      free.stdin.end()
      expect(await finish(free)).toMatchObject({ code: 0, stderr: '' })
    },
  )
})

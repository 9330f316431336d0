import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listWords } from '../../source/cli/terminal/word-list.ts'
import { formatNames } from '../../source/record/format/index.ts'
import { finish, hasOpened, run, start } from '../support/command.ts'
import { isThorough, sample } from '../support/extent.ts'
import { fixturePath, readFixture } from '../support/fixtures.ts'

const dump = fixturePath('mediawiki/small-dump.xml')
const archive = fixturePath('mediawiki/small-dump.xml.bz2')
const expected = readFileSync(fixturePath('mediawiki/small-dump.jsonl'), 'utf8')
const lines = expected.trimEnd().split('\n')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('xylem pages', () => {
  test.each(['small-dump.xml', 'small-dump.xml.bz2', 'small-dump-multistream.xml.bz2', 'small-dump.xml.gz'])(
    'prints one page a line from %s',
    async (name) => {
      const outcome = await run(['pages', fixturePath(`mediawiki/${name}`)])
      expect(outcome).toEqual({ code: 0, stdout: expected, stderr: '' })
    },
  )

  test('reads standard input, whatever its compression', async () => {
    for (const name of ['small-dump.xml', 'small-dump.xml.gz']) {
      const outcome = await run(['pages', '-'], readFixture(`mediawiki/${name}`))
      expect(outcome).toEqual({ code: 0, stdout: expected, stderr: '' })
    }
  })

  test('recognises compression by the first bytes and not by the name', async () => {
    const renamed = join(folder, 'dump.xml-p1p41242')
    copyFileSync(archive, renamed)
    expect(await run(['pages', renamed])).toEqual({ code: 0, stdout: expected, stderr: '' })
  })

  test('stops after --limit pages', async () => {
    for (const limit of [0, 1, 3, 1000]) {
      const { code, stdout } = await run(['pages', dump, '--limit', String(limit)])
      expect(code).toBe(0)
      expect(stdout.split('\n').slice(0, -1)).toEqual(lines.slice(0, limit))
    }
  })

  test('keeps the namespaces of --ns, and counts only those for --limit', async () => {
    const ids = async (...args: string[]) => {
      const { stdout } = await run(['pages', dump, ...args])
      return stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).id)
    }
    expect(await ids('--ns', '1,828')).toEqual([8, 12])
    expect(await ids('--ns', '-1')).toEqual([])
    expect(await ids('--ns', '0', '--limit', '2')).toEqual([1, 3])
  })

  test('writes to the file of --output', async () => {
    const output = join(folder, 'pages.jsonl')
    writeFileSync(output, 'older and longer than what comes now'.repeat(1000))
    expect(await run(['pages', archive, '--output', output])).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(readFileSync(output, 'utf8')).toBe(expected)
  })

  test('prints a page as soon as it has arrived', async () => {
    const child = start('pages', '-')
    child.stdin.write('<mediawiki><page><title>first</title><id>1</id></page>')
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
    expect(chunk.toString()).toBe('{"id":1,"title":"first"}\n')
    child.stdin.end('</mediawiki>')
    expect(await finish(child)).toMatchObject({ code: 0 })
  })

  test('ends quietly when its reader has gone', async () => {
    const child = start('pages', '-')
    child.stdin.write('<mediawiki>')
    const page = `<page><title>${'x'.repeat(5000)}</title><id>1</id></page>`
    const feeding = setInterval(() => child.stdin.write(page.repeat(10)), 1)
    await once(child.stdout, 'data')
    child.stdout.destroy()
    const stderr: Buffer[] = []
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    const [code] = await once(child, 'exit')
    clearInterval(feeding)
    expect(code).toBe(0)
    expect(Buffer.concat(stderr).toString()).toBe('')
  })
})

describe('xylem pages, interrupted', () => {
  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const
  test.each(sample(signals, 1))(
    'by %s keeps what it has printed, says nothing and exits with %i',
    async (signal, code) => {
      const child = start('pages', '-')
      child.stdin.write('<mediawiki><page><title>first</title><id>1</id></page><page>')
      const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
      child.kill(signal)
      const outcome = await finish(child)
      expect(chunk.toString()).toBe('{"id":1,"title":"first"}\n')
      expect(outcome).toEqual({ code, stdout: '', stderr: '' })
    },
  )
})

describe('xylem pages, kept waiting', () => {
  test('ends on a signal although nobody reads its output', async () => {
    const child = start('pages', '-')
    const page = `<page><title>${'x'.repeat(50_000)}</title><id>1</id></page>`
    child.stdin.write(`<mediawiki>${page.repeat(100)}`)
    await once(child.stdout, 'readable') // and no more is read
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    expect(code).toBe(143)
  })

  test('ends at once when the output cannot be opened, although its input stays open', async () => {
    const child = start('pages', '-', '--output', join(folder, 'no', 'such', 'folder'))
    child.stdin.write('<mediawiki><page><title>first</title><id>1</id></page>')
    expect(await finish(child)).toMatchObject({ code: 5 })
  })

  test.runIf(existsSync('/usr/bin/mkfifo') && existsSync('/proc/self/fd'))(
    'reads a named pipe, and can be interrupted before anybody writes to it',
    async () => {
      const pipe = join(folder, 'pipe')
      execFileSync('mkfifo', [pipe])
      if (isThorough) {
        const reading = finish(start('pages', pipe))
        writeFileSync(pipe, readFileSync(dump))
        expect(await reading).toEqual({ code: 0, stdout: expected, stderr: '' })
      }
      const waiting = start('pages', pipe)
      await once(waiting, 'spawn')
      while (!hasOpened(waiting.pid as number, pipe)) await sleep(10)
      waiting.kill('SIGINT')
      expect(await finish(waiting)).toEqual({ code: 130, stdout: '', stderr: '' })
    },
  )
})

test.runIf(existsSync('/usr/bin/mkfifo') && existsSync('/proc/self/status'))(
  'xylem pages can be interrupted while nobody reads a named pipe it writes to',
  async () => {
    const [input, output] = ['input pipe', 'output pipe'].map((name) => join(folder, name)) as [string, string]
    execFileSync('mkfifo', [input, output])
    const child = start('pages', input, '--output', output)
    const outcome = finish(child)
    // A command that has opened its input handles signals.
    writeFileSync(input, readFileSync(dump))
    child.kill('SIGINT')
    expect(await outcome).toEqual({ code: 130, stdout: '', stderr: '' })
    if (!isThorough) return
    const writing = finish(start('pages', dump, '--output', output))
    expect(readFileSync(output, 'utf8')).toBe(expected)
    expect(await writing).toMatchObject({ code: 0 })
  },
)

describe('xylem pages, given bad input', () => {
  const oneLine = expect.stringMatching(/^xylem: [^\n]+\n( {2}[^\n]*\n)*$/)

  test('prints all pages before an error in the XML, then one line with the place', async () => {
    const text = readFileSync(dump, 'utf8').replace('<title>Help: I am an article</title>', '<title>Help</titel>')
    const { code, stdout, stderr } = await run(['pages', '-'], text)
    expect(code).toBe(3)
    expect(stdout.split('\n').slice(0, -1)).toEqual(lines.slice(0, 2))
    expect(stderr).toBe(
      'xylem: standard input: the end tag </titel> does not match <title> opened at 61:5 [WFC: Element Type Match] ' +
        '(line 61, column 18, byte 2241)\n      <title>Help</titel>\n                   ^\n',
    )
  })

  test.each([
    ['a plain dump', 'small-dump.xml', /the input ends, but <\w+> opened at \d+:\d+ is not closed/],
    ['gzip', 'small-dump.xml.gz', /gzip: the input ends inside a member/],
    ['bzip2', 'small-dump-multistream.xml.bz2', /bzip2: the input ends inside a stream/],
  ])('prints the pages before the end of a truncated file: %s', async (_, name, message) => {
    const whole = readFixture(`mediawiki/${name}`)
    const file = join(folder, name)
    writeFileSync(file, whole.slice(0, whole.length * 0.8))
    const { code, stdout, stderr } = await run(['pages', file])
    expect(code).toBe(3)
    const printed = stdout.split('\n').slice(0, -1)
    expect(printed.length).toBeGreaterThanOrEqual(5)
    expect(printed).toEqual(lines.slice(0, printed.length))
    expect(stderr).toEqual(oneLine)
    expect(stderr).toContain(file)
    expect(stderr).toMatch(message)
  })

  test.each([
    ['an empty file', '', 'not a MediaWiki dump: the document is empty'],
    ['something else', 'hello', 'not a MediaWiki dump'],
    ['an unsupported compression', new Uint8Array([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 0, 0, 0]), '7z x -so'],
  ])('says what is wrong with %s', async (_, input, message) => {
    const { code, stderr } = await run(['pages', '-'], input)
    expect(code).toBe(3)
    expect(stderr).toEqual(oneLine)
    expect(stderr).toContain(message)
  })

  test('says so when there is no such file, or it is a directory', async () => {
    const missing = await run(['pages', join(folder, 'missing.xml')])
    expect(missing).toEqual({ code: 5, stdout: '', stderr: `xylem: ${join(folder, 'missing.xml')}: no such file\n` })
    const directory = await run(['pages', folder])
    expect(directory).toEqual({ code: 5, stdout: '', stderr: `xylem: ${folder}: is a directory\n` })
  })

  test('leaves an older output alone when the input cannot be read', async () => {
    const output = join(folder, 'older.jsonl')
    writeFileSync(output, 'older')
    expect((await run(['pages', join(folder, 'missing.xml'), '--output', output])).code).toBe(5)
    expect(readFileSync(output, 'utf8')).toBe('older')
  })

  test.each(['part.jsonl', 'part.jsonl.gz'])(
    'keeps the pages before an error under another name, and an older output as it is: %s',
    async (name) => {
      const output = join(folder, name)
      const text = readFileSync(dump, 'utf8')
      const read = (path: string) =>
        (name.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path)).toString()
      const names = () => readdirSync(folder).filter((file) => file.startsWith(`${name}.`) || file === name)
      for (const before of [[], [name]]) {
        const { code, stderr } = await run(['pages', '-', '--output', output], text.slice(0, -10))
        expect(code).toBe(3)
        expect(stderr).toContain(`what was written is kept in ${output}.partial\n`)
        expect(names().sort()).toEqual([...before, `${name}.partial`])
        expect(read(`${output}.partial`)).toBe(expected)
        if (before.length > 0) expect(readFileSync(output, 'utf8')).toBe('older')
        writeFileSync(output, 'older')
      }
      expect(await run(['pages', '-', '--output', output], text)).toMatchObject({ code: 0, stderr: '' })
      expect(read(output)).toBe(expected)
    },
  )

  test('leaves no file under the name of the output when it is interrupted', async () => {
    const output = join(folder, 'interrupted.jsonl')
    const child = start('pages', '-', '--output', output)
    const outcome = finish(child)
    const page = (id: number) => `<page><title>${'x'.repeat(1000)}</title><id>${id}</id></page>`
    child.stdin.write(`<mediawiki>${Array.from({ length: 2000 }, (_, id) => page(id)).join('')}`)
    while (!readdirSync(folder).some((name) => name.startsWith('interrupted.jsonl.'))) await sleep(10)
    child.kill('SIGINT')
    expect(await outcome).toMatchObject({ code: 130 })
    const names = readdirSync(folder).filter((name) => name.startsWith('interrupted'))
    expect(names.every((name) => name === 'interrupted.jsonl.partial')).toBe(true)
  })

  test('gives a new output the permissions of the file that it replaces, and follows a link', async () => {
    const [file, link] = [join(folder, 'shared.jsonl'), join(folder, 'link.jsonl')]
    writeFileSync(file, 'older', { mode: 0o640 })
    symlinkSync(file, link)
    expect(await run(['pages', dump, '--output', link])).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(file, 'utf8')).toBe(expected)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
  })
})

describe('xylem pages, used wrongly', () => {
  test('refuses to overwrite its input', async () => {
    const copy = join(folder, 'copy')
    copyFileSync(dump, copy)
    const { code, stderr } = await run(['pages', copy, '--output', copy])
    expect(code).toBe(2)
    expect(stderr).toBe(`xylem: the output would overwrite the input: ${copy}\n`)
    expect(readFileSync(copy).equals(readFileSync(dump))).toBe(true)
  })

  test.runIf(isThorough)('refuses to overwrite its standard input', async () => {
    const copy = join(folder, 'redirected')
    copyFileSync(dump, copy)
    const main = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
    const command = `"${process.execPath}" "${main}" pages - --output "${copy}" < "${copy}"`
    expect(spawnSync('sh', ['-c', command]).status).toBe(2)
    expect(readFileSync(copy).equals(readFileSync(dump))).toBe(true)
  })

  test('says when the output cannot be written', async () => {
    const { code, stderr } = await run(['pages', dump, '--output', join(folder, 'no', 'such', 'folder')])
    expect(code).toBe(5)
    expect(stderr).toMatch(/^xylem: cannot write .*there is no such folder[^\n]*\n$/)
  })

  test.runIf(existsSync('/dev/full'))('says when the disk is full', async () => {
    const { code, stderr } = await run(['pages', dump, '--output', '/dev/full'])
    expect(code).toBe(5)
    expect(stderr).toBe('xylem: cannot write /dev/full: no space left on the device\n')
  })

  test.each([
    [['pages'], "missing required argument 'dump'"],
    [['pages', dump, '--limit', '-1'], 'It must be a whole number, 0 or greater.'],
    [
      ['pages', dump, '--ns', 'Nowhere'],
      'the wiki has no namespace Nowhere; its namespaces are Special, 0, Talk, File',
    ],
    [['pages', dump, '--title', '('], 'Invalid regular expression'],
    [['pages', dump, '--ids', '5-x'], 'It must be a list of numbers and ranges'],
    [['pages', dump, '--since', 'yesterday'], 'It must be a date'],
    [['pages', dump, '--redirects', 'no'], 'It must be in, out or only.'],
    [['pages', dump, '--format', 'yaml'], `It must be ${listWords(formatNames())}.`],
    [['pages', dump, '--on-error', 'ignore'], 'It must be stop, skip, skip-page or skip-block.'],
    [['pages', dump, '--jobs', '0'], 'It must be a whole number, 1 or greater.'],
    [['pages', join(tmpdir(), 'nothing-*.xml')], 'no file matches'],
    [['pages', dump, '--nonsense'], "unknown option '--nonsense'"],
    [['page'], "unknown command 'page'"],
    [[], 'Usage: xylem'],
  ])('%j exits with 2 and says why', async (args, message) => {
    const { code, stdout, stderr } = await run(args)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
  })
})

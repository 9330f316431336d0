import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  createWriteStream,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { FileSource, type FileSourceOptions } from '../../../source/stream/sources/node.ts'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import { collect, collectUntilFault } from '../../support/collect.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { fixturePath, readFixture } from '../../support/fixtures.ts'
import { countOpen, until } from '../../support/resources.ts'
import { isBun, isDeno } from '../../support/runtime.ts'
import { settle } from '../../support/sources.ts'

const path = fixturePath('mediawiki/small-dump.xml')
const bytes = readFixture('mediawiki/small-dump.xml')

const folder = mkdtempSync(join(tmpdir(), 'xylem-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a file', () => {
  test('is read in pieces of any size, by path or URL, as often as it is iterated', async () => {
    for (const chunkSize of isThorough ? [1, 100, bytes.length, undefined] : [7, undefined]) {
      const source = new FileSource(path, { chunkSize })
      expect(await collect(source)).toEqual(bytes)
      expect(await collect(source)).toEqual(bytes)
    }
    expect(await collect(new FileSource(pathToFileURL(path)))).toEqual(bytes)
  })

  test('gives chunks that may be kept', async () => {
    const chunks: Uint8Array[] = []
    for await (const chunk of new FileSource(path, { chunkSize: 1000 })) chunks.push(chunk)
    expect(new Uint8Array(Buffer.concat(chunks))).toEqual(bytes)
  })

  test('uses the memory of chunks again where nobody keeps them, and nowhere else', async () => {
    const large = join(folder, 'large')
    const content = new Uint8Array(12_345_678)
    for (let i = 0; i < content.length; i++) content[i] = (i * i) >>> 7
    writeFileSync(large, content)
    for (const isReusing of [true, false]) {
      const source = new FileSource(large)
      const cursor = (isReusing ? StreamCache.reusing(source) : StreamCache.from(source)).cursor()
      const memory = new Set<ArrayBufferLike>()
      const pieces: Uint8Array[] = []
      while (await cursor.fill(1)) {
        const chunk = cursor.peekChunk()
        memory.add(chunk.buffer)
        // Not all of it: what was not skipped is still there when more has arrived.
        const piece = chunk.subarray(0, 300_000)
        pieces.push(isReusing ? piece.slice() : piece)
        cursor.skip(piece.length)
        await settle()
      }
      cursor.release()
      expect(Buffer.concat(pieces).equals(content)).toBe(true)
      if (isReusing) expect(memory.size).toBeLessThan(6)
      else expect(memory.size).toBe(12)
    }
  })

  test('that grows while it is read is read as far as it is there', async () => {
    const grow = (from: number) => () => appendFileSync(changing, bytes.subarray(from, 1420))
    expect(await readChanging({ 8: grow(950) })).toEqual({ bytes: bytes.subarray(0, 1420), error: undefined })
    // Nothing was read ahead after the cut; now there is something, and it is the same as before.
    const restored = await readChanging({ 6: () => truncateSync(changing, 850), 9: grow(850) })
    expect(restored).toEqual({ bytes: bytes.subarray(0, 1420), error: undefined })
  })

  test('gives a small last chunk that does not keep the memory of a large one', async () => {
    const chunks: Uint8Array[] = []
    for await (const chunk of new FileSource(path)) chunks.push(chunk)
    expect(chunks.map(({ buffer }) => buffer.byteLength)).toEqual([bytes.length])
  })

  test.skipIf(isDeno)('that fails or is left in the middle of everything is closed', async () => {
    const controller = new AbortController()
    const aborted = StreamCache.from(new FileSource(path, { chunkSize: 10 }), { signal: controller.signal })
    const outcome = expect(aborted.cursor().read(1e9)).rejects.toMatchObject({ name: 'AbortError' })
    await settle()
    controller.abort()
    await outcome
    for (const turns of [0, 1, 2, 3, 5]) {
      const cache = StreamCache.from(new FileSource(path, { chunkSize: 10 }), { highWaterMark: 1 })
      for (let i = 0; i < turns; i++) await new Promise(setImmediate)
      await cache.cancel()
    }
    const limited = StreamCache.from(new FileSource(path, { chunkSize: 10 }), { limits: { maxRetained: 100 } }).cursor()
    await expect(limited.read(200)).rejects.toMatchObject({ code: 'retained-limit' })
    limited.release()
    await until(() => countOpen(path) === 0)
    expect(countOpen(path)).toBe(0)
  })

  test('reports its progress, with the total, also through a cache', async () => {
    const cache = StreamCache.from(new FileSource(path, { chunkSize: 1000 }), { highWaterMark: 1 })
    const cursor = cache.cursor()
    await cursor.read(500)
    expect(cache.progress).toEqual({ bytesRead: 1000, totalBytes: bytes.length })
    cursor.release()
    await cache.cancel() // which waits until the file is closed
  })

  test('is not opened before it is read, and closed however reading ends', async () => {
    const source = new FileSource(path, { chunkSize: 100 })
    expect(countOpen(path)).toBe(0)
    await collect(source)
    for await (const _ of source) break
    const cache = StreamCache.from(source, { highWaterMark: 1 })
    const cursor = cache.cursor()
    await cursor.read(10)
    expect(countOpen(path)).toBe(1)
    await cache.cancel()
    expect(countOpen(path)).toBe(0)
    const left = StreamCache.from(source, { highWaterMark: 1 }).cursor()
    await left.read(10)
    left.release()
    await until(() => countOpen(path) === 0)
    expect(countOpen(path)).toBe(0)
  })

  test('that is missing, or a directory, is a failed source', async () => {
    const missing = StreamCache.from(new FileSource(`${path}.missing`)).cursor()
    await expect(missing.read(1)).rejects.toMatchObject({ code: 'source-failed', cause: { code: 'ENOENT' } })
    const directory = StreamCache.from(new FileSource(fixturePath('.'))).cursor()
    await expect(directory.read(1)).rejects.toMatchObject({ code: 'source-failed', cause: { code: 'EISDIR' } })
  })

  test.each([0, -1, 1.5, Number.NaN])('with pieces of %d bytes is refused', (chunkSize) => {
    const expected = expect.objectContaining({ name: 'RangeError', code: 'invalid-option' })
    expect(() => new FileSource(path, { chunkSize })).toThrow(expected)
  })
})

const changing = join(folder, 'changing')

/** Reads a file of 950 bytes by hundreds, and changes it after some of them. */
async function readChanging(
  changes: Record<number, () => void>,
  options: FileSourceOptions = {},
): Promise<{ bytes: Uint8Array; error: unknown }> {
  writeFileSync(changing, bytes.subarray(0, 950))
  utimesSync(changing, 1e9, 1e9)
  async function* chunks() {
    let count = 0
    for await (const chunk of new FileSource(changing, { chunkSize: 100, ...options })) {
      yield chunk
      await settle() // what is read ahead has mostly been read
      changes[++count]?.()
    }
  }
  return collectUntilFault(chunks())
}

describe('a file that changes while it is read', () => {
  const overwrite = (at: number, by: Uint8Array) => () => {
    const file = openSync(changing, 'r+')
    writeSync(file, by, 0, by.length, at)
    closeSync(file)
  }
  const changed = (how: string) => ({
    name: 'SourceError',
    code: 'source-changed',
    message: `${changing} changed while it was read: ${how}`,
  })

  test('is an error after what was read, with the place, when it was written to', async () => {
    for (const at of [0, 500, 949]) {
      const { bytes: all, error } = await readChanging({ 6: overwrite(at, new Uint8Array(1)) })
      expect(all).toHaveLength(950)
      expect(error).toMatchObject({ ...changed('it was written to'), byteOffset: 950 })
    }
    const part = await readChanging({ 2: overwrite(900, new Uint8Array(1)) }, { start: 100, end: 350 })
    expect(part.bytes).toEqual(bytes.subarray(100, 350))
    expect(part.error).toMatchObject({ ...changed('it was written to'), byteOffset: 350 })
  })

  test('is an error when it was cut off', async () => {
    for (const length of [0, 850]) {
      const { bytes: all, error } = await readChanging({ 6: () => truncateSync(changing, length) })
      // What was read ahead when the file was cut is there.
      expect(all.length).toBeGreaterThanOrEqual(Math.max(600, length))
      expect(all).toEqual(bytes.subarray(0, all.length))
      expect(error).toMatchObject(changed('it was truncated'))
    }
  })

  test('is an error when it was written anew and is longer, although a file may grow', async () => {
    const anew = () => writeFileSync(changing, bytes.toReversed())
    expect((await readChanging({ 3: anew })).error).toMatchObject(changed('it was written to at byte 0'))
    const far = await readChanging({ 1: anew }, { start: 800 })
    expect(far.error).toMatchObject(changed('it was written to at byte 800'))
  })

  test('is not an error when something is appended after a part that is read', async () => {
    const append = () => appendFileSync(changing, 'more')
    const { bytes: part, error } = await readChanging({ 1: append, 2: append }, { start: 100, end: 350 })
    expect([part, error]).toEqual([bytes.subarray(100, 350), undefined])
  })

  test('is compared by samples of each stretch, also of a large one', async () => {
    const content = new Uint8Array(5 * 1024 * 1024)
    writeFileSync(changing, content)
    utimesSync(changing, 1e9, 1e9)
    const source = new FileSource(changing)
    expect(await collect(source)).toHaveLength(content.length)
    const longer = new Uint8Array(content.length + 1)
    writeFileSync(changing, longer)
    expect(await collect(source)).toHaveLength(longer.length)
    longer.fill(1, 3 * 1024 * 1024)
    writeFileSync(changing, Buffer.concat([longer, longer]))
    await expect(collect(source)).rejects.toMatchObject(changed('it was written to at byte 3145728'))
  })

  test('is read as it was when it is replaced or removed', async () => {
    const replace = () => {
      writeFileSync(`${changing}.new`, 'new')
      renameSync(`${changing}.new`, changing)
    }
    for (const change of [replace, () => rmSync(changing)]) {
      expect(await readChanging({ 3: change })).toEqual({ bytes: bytes.subarray(0, 950), error: undefined })
    }
  })

  test('is one for any two readings of a source and its parts, before anything is read', async () => {
    for (const [change, how] of [
      [overwrite(0, new Uint8Array(1)), 'it was written to'],
      [() => truncateSync(changing, 10), 'it was truncated'],
      [
        () => {
          copyFileSync(changing, `${changing}.new`)
          renameSync(`${changing}.new`, changing)
        },
        'it was replaced by another file',
      ],
    ] as const) {
      await readChanging({})
      const source = new FileSource(changing)
      expect(await collect(source.from(200, 300))).toEqual(bytes.subarray(200, 300))
      expect(await collect(source)).toEqual(bytes.subarray(0, 950))
      change()
      for (const again of [source, source.from(0, 5)]) {
        const { bytes: none, error } = await collectUntilFault(again)
        expect(none).toHaveLength(0)
        expect(error).toMatchObject(changed(how))
      }
      await expect(StreamCache.from(source).cursor().read(1)).rejects.toMatchObject(changed(how))
      expect((await collectUntilFault(new FileSource(changing))).error).toBeUndefined()
    }
  })

  test('is not seen where the system says that it is empty, as of /proc', async () => {
    const source = new FileSource('/proc/self/stat')
    for (let i = 0; i < 3; i++) expect((await collect(source)).length).toBeGreaterThan(10)
  })
})

describe('a named pipe', () => {
  const makePipe = (name: string) => {
    const path = join(folder, name)
    execFileSync('mkfifo', [path])
    return path
  }

  test.skipIf(isBun || isDeno)('is read as it is written, also by who was there first', async () => {
    const path = makePipe('read')
    const cache = StreamCache.from(new FileSource(path))
    const cursor = cache.cursor()
    await settle()
    const writer = createWriteStream(path)
    writer.write('abc')
    expect((await cursor.read(3)).length).toBe(3)
    expect(cursor.peek(1)).toBeUndefined()
    writer.end('def')
    expect((await cursor.read(9)).length).toBe(3)
    expect(cache.progress).toEqual({ bytesRead: 6, totalBytes: undefined })
    await until(() => countOpen(path) === 0)
    expect(countOpen(path)).toBe(0)
  })

  test.skipIf(isBun || isDeno)('that nobody writes to can be left at any moment', async () => {
    const path = makePipe('silent')
    for (const turns of [0, 1, 2, 3, 5, 20]) {
      const cache = StreamCache.from(new FileSource(path))
      const outcome = expect(cache.cursor().read(1)).rejects.toMatchObject({ code: 'source-cancelled' })
      for (let i = 0; i < turns; i++) await new Promise(setImmediate)
      await cache.cancel()
      await outcome
      await until(() => countOpen(path) === 0, 500)
      expect(countOpen(path), `after ${turns} turns`).toBe(0)
    }
  })
})

// Deno has no option for programs that are modules.
describe.skipIf(isDeno)('standard input', () => {
  /** Runs a program whose first words are given, in a process of its own, with what is built. */
  const argumentsFor = (program: string) => [
    '--input-type=module',
    '--eval',
    `import { StandardInput } from '${new URL('../../../dist/node.js', import.meta.url)}'
     import { StreamCache } from '${new URL('../../../dist/stream.js', import.meta.url)}'
     ${program}`,
  ]
  const counting = argumentsFor(`
    const source = new StandardInput()
    let length = 0
    for await (const chunk of source) length += chunk.length
    console.log(JSON.stringify([length, source.progress]))`)

  test.skipIf(isBun)('from a pipe has no total', () => {
    const output = execFileSync(process.execPath, counting, { input: bytes, encoding: 'utf8' })
    expect(JSON.parse(output)).toEqual([bytes.length, { bytesRead: bytes.length }])
  })

  test('from a file has one', async () => {
    const file = openSync(path, 'r')
    const child = spawn(process.execPath, counting, { stdio: [file, 'pipe', 'inherit'] })
    closeSync(file)
    const [output] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
    expect(JSON.parse(output.toString())).toEqual([bytes.length, { bytesRead: bytes.length, totalBytes: bytes.length }])
  })

  test('from a file that is written to meanwhile is an error after what was read', async () => {
    writeFileSync(changing, bytes)
    utimesSync(changing, 1e9, 1e9)
    const file = openSync(changing, 'r')
    const program = `
      import { appendFileSync, writeFileSync } from 'node:fs'
      for (const change of [appendFileSync, writeFileSync]) {
        const source = new StandardInput()
        change(${JSON.stringify(changing)}, 'more')
        let length = 0
        try {
          for await (const chunk of source) length += chunk.length
          console.log(length)
        } catch ({ code }) {
          console.log(length, code)
        }
      }`
    const child = spawn(process.execPath, argumentsFor(program), { stdio: [file, 'pipe', 'inherit'] })
    closeSync(file)
    let output = ''
    for await (const piece of child.stdout as AsyncIterable<Buffer>) output += piece
    expect(output).toBe(`${bytes.length + 4}\n0 source-changed\n`)
  })

  test('of nothing is empty', () => {
    const output = execFileSync(process.execPath, counting, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })
    expect(JSON.parse(output)).toEqual([0, { bytesRead: 0 }])
  })

  const stops = [
    ['is cancelled', 'cache.cancel()', 'source-cancelled'],
    ['is released', 'cursor.release()', 'cursor-released'],
  ] as const
  test.each(sample(stops, 1))('that stays open does not keep a process when its stream %s', async (_, stop, code) => {
    const program = `
      const cache = StreamCache.from(new StandardInput())
      const cursor = cache.cursor()
      setTimeout(() => ${stop}, 20)
      await cursor.read(10).catch((error) => console.log(error.code))`
    const child = spawn(process.execPath, argumentsFor(program))
    const [output] = (await once(child.stdout, 'data')) as [Buffer]
    expect(output.toString()).toBe(`${code}\n`)
    const [exitCode] = await once(child, 'exit')
    expect(exitCode).toBe(0)
  })
})

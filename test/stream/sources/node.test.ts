import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  closeSync,
  createWriteStream,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { FileSource } from '../../../source/stream/sources/node.ts'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import { collect } from '../../support/collect.ts'
import { fixturePath, readFixture } from '../../support/fixtures.ts'
import { countOpen, until } from '../../support/resources.ts'
import { settle } from '../../support/sources.ts'

const path = fixturePath('mediawiki/small-dump.xml')
const bytes = readFixture('mediawiki/small-dump.xml')

const folder = mkdtempSync(join(tmpdir(), 'xylem-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a file', () => {
  test('is read in pieces of any size, by path or URL, as often as it is iterated', async () => {
    for (const chunkSize of [1, 100, bytes.length, undefined]) {
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
    const content = Uint8Array.from({ length: 12_345_678 }, (_, i) => (i * i) >>> 7)
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

  test('that grows or is cut off while it is read is read as far as it is there', async () => {
    const changing = join(folder, 'changing')
    const read = async (changes: Record<number, () => void>) => {
      writeFileSync(changing, bytes.subarray(0, 950))
      const chunks: Uint8Array[] = []
      for await (const chunk of new FileSource(changing, { chunkSize: 100 })) {
        chunks.push(chunk)
        await settle() // what is read ahead has mostly been read
        changes[chunks.length]?.()
      }
      return new Uint8Array(Buffer.concat(chunks))
    }
    const grow = (from: number) => () => appendFileSync(changing, bytes.subarray(from, 1420))
    expect(await read({ 8: grow(950) })).toEqual(bytes.subarray(0, 1420))
    // What was read ahead when the file was cut is there.
    const cut = await read({ 6: () => truncateSync(changing, 0) })
    expect([600, 700, 800]).toContain(cut.length)
    expect(cut).toEqual(bytes.subarray(0, cut.length))
    expect(await read({ 6: () => truncateSync(changing, 850) })).toEqual(bytes.subarray(0, 850))
    // What was read ahead behind the cut was nothing; now there is something.
    expect(await read({ 6: () => truncateSync(changing, 850), 9: grow(850) })).toEqual(bytes.subarray(0, 1420))
  })

  test('gives a small last chunk that does not keep the memory of a large one', async () => {
    const chunks: Uint8Array[] = []
    for await (const chunk of new FileSource(path)) chunks.push(chunk)
    expect(chunks.map(({ buffer }) => buffer.byteLength)).toEqual([bytes.length])
  })

  test('that fails or is left in the middle of everything is closed', async () => {
    const controller = new AbortController()
    const aborted = StreamCache.from(new FileSource(path, { chunkSize: 10 }), { signal: controller.signal })
    const outcome = expect(aborted.cursor().read(1e9)).rejects.toMatchObject({ code: 'source-aborted' })
    await settle()
    controller.abort()
    await outcome
    for (const turns of [0, 1, 2, 3, 5]) {
      const cache = StreamCache.from(new FileSource(path, { chunkSize: 10 }), { highWaterMark: 1 })
      for (let i = 0; i < turns; i++) await new Promise(setImmediate)
      await cache.cancel()
    }
    const limited = StreamCache.from(new FileSource(path, { chunkSize: 10 }), { maxRetained: 100 }).cursor()
    await expect(limited.read(200)).rejects.toMatchObject({ code: 'retained-limit' })
    limited.release()
    await until(() => countOpen(path) === 0)
    expect(countOpen(path)).toBe(0)
  })

  test('tells its progress, with the total, also through a cache', async () => {
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

describe('a named pipe', () => {
  const makePipe = (name: string) => {
    const path = join(folder, name)
    execFileSync('mkfifo', [path])
    return path
  }

  test('is read as it is written, also by who was there first', async () => {
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

  test('that nobody writes to can be left at any moment', async () => {
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

describe('standard input', () => {
  /** Runs a program whose first words are given, in a process of its own. */
  const argumentsFor = (program: string) => [
    '--import',
    'tsx',
    '--input-type=module',
    '--eval',
    `import { StandardInput } from '${new URL('../../../source/node.ts', import.meta.url)}'
     import { StreamCache } from '${new URL('../../../source/stream.ts', import.meta.url)}'
     ${program}`,
  ]
  const counting = argumentsFor(`
    const source = new StandardInput()
    let length = 0
    for await (const chunk of source) length += chunk.length
    console.log(JSON.stringify([length, source.progress]))`)

  test('from a pipe has no total', () => {
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

  test('of nothing is empty', () => {
    const output = execFileSync(process.execPath, counting, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })
    expect(JSON.parse(output)).toEqual([0, { bytesRead: 0 }])
  })

  test.each([
    ['is cancelled', 'cache.cancel()', 'source-cancelled'],
    ['is released', 'cursor.release()', 'cursor-released'],
  ])('that stays open does not keep a process when its stream %s', async (_, stop, code) => {
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

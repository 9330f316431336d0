import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { FileSource } from '../../../source/stream/sources/node.ts'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import { collect } from '../../support/collect.ts'
import { fixturePath, readFixture } from '../../support/fixtures.ts'
import { settle } from '../../support/sources.ts'

const path = fixturePath('mediawiki/small-dump.xml')
const bytes = readFixture('mediawiki/small-dump.xml')
const openFiles = () => readdirSync('/proc/self/fd').length

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

  test('tells its progress, with the total, also through a cache', async () => {
    const cache = StreamCache.from(new FileSource(path, { chunkSize: 1000 }), { highWaterMark: 1 })
    const cursor = cache.cursor()
    await cursor.read(500)
    expect(cache.progress).toEqual({ bytesRead: 1000, totalBytes: bytes.length })
    cursor.release()
  })

  test('is not opened before it is read, and closed however reading ends', async () => {
    const before = openFiles()
    const source = new FileSource(path, { chunkSize: 100 })
    expect(openFiles()).toBe(before)
    await collect(source)
    for await (const _ of source) break
    const cache = StreamCache.from(source, { highWaterMark: 1 })
    const cursor = cache.cursor()
    await cursor.read(10)
    expect(openFiles()).toBe(before + 1)
    await cache.cancel()
    expect(openFiles()).toBe(before)
    const left = StreamCache.from(source, { highWaterMark: 1 }).cursor()
    await left.read(10)
    left.release()
    for (let i = 0; i < 100 && openFiles() > before; i++) await settle()
    expect(openFiles()).toBe(before)
  })

  test('that is missing, or a directory, is a failed source', async () => {
    const missing = StreamCache.from(new FileSource(`${path}.missing`)).cursor()
    await expect(missing.read(1)).rejects.toMatchObject({ code: 'source-failed', cause: { code: 'ENOENT' } })
    const directory = StreamCache.from(new FileSource(fixturePath('.'))).cursor()
    await expect(directory.read(1)).rejects.toMatchObject({ code: 'source-failed', cause: { code: 'EISDIR' } })
  })

  test.each([0, -1, 1.5, Number.NaN])('with pieces of %d bytes is refused', (chunkSize) => {
    expect(() => new FileSource(path, { chunkSize })).toThrow(RangeError)
  })
})

describe('standard input', () => {
  const script = `
    import { StandardInput } from 'xylem/node'
    const source = new StandardInput()
    let length = 0
    for await (const chunk of source) length += chunk.length
    console.log(JSON.stringify([length, source.progress]))`
  const args = ['--input-type=module', '-e', script]

  test('from a pipe has no total', () => {
    const output = execFileSync(process.execPath, args, { input: bytes, encoding: 'utf8' })
    expect(JSON.parse(output)).toEqual([bytes.length, { bytesRead: bytes.length }])
  })

  test('from a file has one', async () => {
    const child = spawn(process.execPath, args, { stdio: [openSync(path, 'r'), 'pipe', 'inherit'] })
    const [output] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
    expect(JSON.parse(output.toString())).toEqual([bytes.length, { bytesRead: bytes.length, totalBytes: bytes.length }])
  })

  test('that stays open does not keep a process that destroys it', async () => {
    const destroying = `
      import { StandardInput } from 'xylem/node'
      import { StreamCache } from 'xylem'
      const cache = StreamCache.from(new StandardInput())
      const read = cache.cursor().read(10).catch((error) => console.log(error.code))
      setTimeout(() => cache.cancel(), 20)
      await read`
    const child = spawn(process.execPath, ['--input-type=module', '-e', destroying])
    const [output] = (await once(child.stdout, 'data')) as [Buffer]
    expect(output.toString()).toBe('source-cancelled\n')
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
  })
})

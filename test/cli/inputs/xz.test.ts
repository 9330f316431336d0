// xz, which the command line reads, and the library does not.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addFormats } from '../../../source/cli/inputs/added-formats.ts'
import { ADDED_FORMATS, decompress } from '../../../source/compression/decompress.ts'
import { collect, collectUntilFault, cutPlaces, everyCut } from '../../support/collect.ts'
import { run } from '../../support/command.ts'
import { fixturePath, readFixture } from '../../support/fixtures.ts'
import { failing } from '../../support/sources.ts'

beforeAll(addFormats)
afterAll(() => ADDED_FORMATS.clear())

const two = readFixture('compression/two-streams.xz')
const text = 'The first stream. é木🌳\nThe second stream.\n'
const lines = readFixture('compression/lines.xz')
/** Bytes of the first stream of `two`, without the padding. */
const FIRST = 80

describe('all streams of xz', () => {
  test('are read, complete, byte by byte and at every cut', async () => {
    for (const chunks of everyCut(two)) expect(new TextDecoder().decode(await collect(decompress(chunks)))).toBe(text)
  })

  test('are read with blocks that are larger than a buffer, again and again', async () => {
    const expected = Array.from({ length: 20_000 }, (_, i) => `line ${i} of the text\n`).join('')
    const read = async () => new TextDecoder().decode(await collect(decompress(Buffer.concat([lines, two]))))
    expect(await read()).toBe(expected + text)
    expect(await read()).toBe(expected + text)
  })

  test('can be left, and read anew', async () => {
    for (let i = 0; i < 3; i++) {
      for await (const piece of decompress(lines)) {
        expect(new TextDecoder().decode(piece)).toMatch(/^line 0 /)
        break
      }
    }
    expect(await collect(decompress(two))).toHaveLength(Buffer.byteLength(text))
  })
})

describe('an error in xz', () => {
  test('is found at every cut, after what came before', async () => {
    expect(new TextDecoder().decode(await collect(decompress(two.subarray(0, FIRST))))).toContain('first')
    for (const cut of cutPlaces(two.length)) {
      const { bytes, error } = await collectUntilFault(decompress(two.subarray(0, cut)))
      // What ends with a stream, or after padding of so many bytes, is complete.
      const isComplete = cut >= FIRST && cut <= FIRST + 8 && cut % 4 === 0
      if (cut >= 4 && !isComplete) expect(error, String(cut)).toMatchObject({ format: 'xz' })
      if (cut > FIRST) expect(new TextDecoder().decode(bytes)).toContain('The first stream. é木🌳')
    }
  })

  test('of each kind has a code', async () => {
    const damaged = new Uint8Array(lines)
    damaged[5000] = (damaged[5000] as number) ^ 1
    for (const [bytes, code, message] of [
      [lines.subarray(0, 9000), 'truncated', 'the input ends inside a stream (byte 9000)'],
      [damaged, 'corrupt', 'the data is corrupt'],
      [Buffer.concat([two, Buffer.from('something else')]), 'trailing-data', 'data that is not xz follows'],
      [
        readFixture('compression/sha256.xz'),
        'unsupported',
        'its check or a filter is not supported; decompress it first: xz -dc',
      ],
      [
        readFixture('compression/large-dictionary.xz'),
        'unsupported',
        'its dictionary is larger than 64 MiB; decompress it',
      ],
    ] as const) {
      const { error } = await collectUntilFault(decompress(bytes))
      expect(error).toMatchObject({ code, format: 'xz', message: expect.stringContaining(`xz: ${message}`) })
      // What reads the next input is not in the way of the one before.
      expect(await collect(decompress(two))).toHaveLength(Buffer.byteLength(text))
    }
  })

  test('of the source is the one of the source', async () => {
    const { bytes, error } = await collectUntilFault(decompress(failing([lines.subarray(0, 9000)], 'reason')))
    expect(error).toMatchObject({ code: 'source-failed', cause: 'reason' })
    expect(new TextDecoder().decode(bytes)).toMatch(/^line 0 of the text\n/)
  })
})

describe('a dump in xz', () => {
  let folder = ''
  let path = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'xylem-xz-'))
    path = join(folder, 'dump')
    writeFileSync(path, readFixture('mediawiki/small-dump.xml.xz'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('is read by its first bytes, from a file, standard input and in parts', async () => {
    const { stdout: expected } = await run(['pages', fixturePath('mediawiki/small-dump.xml')])
    expect(await run(['pages', path])).toEqual({ code: 0, stdout: expected, stderr: '' })
    expect(await run(['pages', '-'], readFileSync(path))).toEqual({ code: 0, stdout: expected, stderr: '' })
    const parts = join(folder, 'parts')
    expect(await run(['pages', path, '--resume', '--output', parts])).toMatchObject({ code: 0 })
    const [, range = ''] = (await run(['plan', path])).stdout.split('\n')
    expect((await run(['read', range])).stdout.split('\n').slice(0, -2)).toEqual(expected.split('\n').slice(0, -1))
  })

  test('that is cut off has one line of an error, and its exit code', async () => {
    writeFileSync(path, readFileSync(path).subarray(0, 500))
    expect(await run(['pages', path])).toEqual({
      code: 3,
      stdout: expect.any(String),
      stderr: `xylem: ${path}: xz: the input ends inside a stream (byte 500)\n`,
    })
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Archive } from '../../../source/cli/inputs/archive.ts'
import { MemberSource } from '../../../source/cli/inputs/member-source.ts'
import { collect, collectUntilFault } from '../../support/collect.ts'
import { isThorough } from '../../support/extent.ts'
import { Random } from '../../support/random.ts'
import { countOpen } from '../../support/resources.ts'
import { writeZip } from '../../support/zip-writer.ts'

/** It cannot be compressed, and is longer than what is read at once. */
const content = Uint8Array.from(
  { length: 3_000_000 },
  (
    (random) => () =>
      random.below(256)
  )(new Random(7)),
)
let folder = ''
let path = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-member-'))
  path = join(folder, 'archive.zip')
  write(content)
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(bytes: Uint8Array): void {
  writeFileSync(
    path,
    writeZip([
      { name: 'before', content: 'x'.repeat(1000) },
      { name: 'deflated', content: bytes },
      { name: 'stored', content: bytes, method: 0 },
    ]),
  )
}

async function open(name: string): Promise<MemberSource> {
  return new MemberSource((await Archive.open(path)).find(name))
}

describe.each(['deflated', 'stored'])('the source of a member that is %s', (name) => {
  test.runIf(isThorough)('yields its content, as often as it is read, and reports its progress', async () => {
    const source = await open(name)
    expect(source.progress).toEqual({ bytesRead: 0, totalBytes: content.length })
    for (let i = 0; i < 2; i++) {
      let bytes = 0
      for await (const piece of source) {
        expect(piece.length).toBeLessThanOrEqual(1024 * 1024)
        bytes += piece.length
        expect(source.progress.bytesRead).toBe(bytes)
      }
      expect(bytes).toBe(content.length)
    }
    expect(Buffer.from(await collect(source)).equals(content)).toBe(true)
    if (process.platform === 'linux') expect(countOpen(path)).toBe(0)
  })

  test('closes the archive when it is left, and when it is disposed of', async () => {
    for await (const _ of await open(name)) break
    const source = await open(name)
    const pieces = source[Symbol.asyncIterator]()
    await pieces.next()
    await source[Symbol.asyncDispose]()
    expect(await pieces.next()).toEqual({ done: true, value: undefined })
    while (process.platform === 'linux' && countOpen(path) > 0) await sleep(5)
  })

  test('fails where the archive was written anew in between', async () => {
    const source = await open(name)
    const other = content.slice().fill(1, 1_000_000)
    write(other)
    const { error } = await collectUntilFault(source)
    expect(error).toMatchObject({ format: 'zip' })
    write(content)
  })
})

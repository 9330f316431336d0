import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyRevision } from '../../../source/cli/read/text-verification.ts'
import type { Revision } from '../../../source/mediawiki/shape/revision.ts'
import { run } from '../../support/command.ts'
import { fixturePath } from '../../support/fixtures.ts'

function hash(text: string): string {
  return BigInt(`0x${createHash('sha1').update(text).digest('hex')}`)
    .toString(36)
    .padStart(31, '0')
}

/** A revision with a text, with the size and hash that the dump has for the stored one. */
function revision(text: string, stored: string, knows: 'size' | 'hash' | 'both' = 'both'): Revision {
  const bytes = knows === 'hash' ? {} : { bytes: Buffer.byteLength(stored) }
  return { id: 1, ...bytes, ...(knows === 'size' ? {} : { sha1: hash(stored) }), text }
}

describe('the text of a revision', () => {
  test('is equal when its hash is', () => {
    expect(verifyRevision(revision('text', 'text'))).toBe('equal')
    expect(verifyRevision(revision('text', 'text', 'hash'))).toBe('equal')
    expect(verifyRevision({ ...revision('text', 'text'), bytes: 5 })).toBe('equal')
  })

  test('is different when nothing that dumps do to texts can have made it of the stored one', () => {
    for (const knows of ['hash', 'both'] as const) {
      expect(verifyRevision(revision('text', 'test', knows))).toBe('different')
      expect(verifyRevision(revision('a longer text', 'short', knows))).toBe('different')
      expect(verifyRevision(revision('é à la carte', 'è à la carte', knows))).toBe('different')
      expect(verifyRevision(revision('cut off', `cut off${' and more'.repeat(9)}`, knows))).toBe('different')
      // A mark by itself says nothing, nor do two that cannot stand in another order.
      expect(verifyRevision(revision('a\u0316b', 'b\u0316b', knows))).toBe('different')
      expect(verifyRevision(revision('a\u0301\u0301b', 'b\u0301\u0301b', knows))).toBe('different')
    }
    for (const knows of ['size', 'both'] as const) {
      expect(verifyRevision(revision('text', 'longer', knows))).toBe('different')
      expect(verifyRevision(revision('The oak is a tree', 'The oak is a tree that grows.....', knows))).toBe(
        'different',
      )
      expect(verifyRevision(revision('text', 'te\u0001xt', knows))).toBe('different')
    }
    expect(verifyRevision(revision('a longer text', 'short', 'size'))).toBe('different')
  })

  test('is explained by line ends where the hash is that of the text with them', () => {
    expect(verifyRevision(revision('a\nb\n', 'a\rb\r'))).toBe('explained')
    expect(verifyRevision(revision('a\nb\n', 'a\rb\n'))).toBe('different')
    expect(verifyRevision(revision('a\nb\n', 'a\r\nb\r\n'))).toBe('explained')
    expect(verifyRevision(revision('a\nb\n', 'a\r\nb\r\n', 'hash'))).toBe('explained')
    expect(verifyRevision(revision('a\nb\n', 'a\r\nb\n'))).toBe('unproved')
    expect(verifyRevision(revision('a\nb\n', 'a\r\nb\n', 'hash'))).toBe('different')
  })

  test('is not proved where it may lack carriage returns, up to one a line', () => {
    expect(verifyRevision(revision('x\n'.repeat(100), `${'x\r\n'.repeat(60)}${'x\n'.repeat(40)}`))).toBe('unproved')
    expect(verifyRevision(revision('x\n'.repeat(100), 'x\r\r\n'.repeat(100)))).toBe('different')
  })

  test('is not proved where it has replaced characters, and their size fits', () => {
    expect(verifyRevision(revision('a\ufffdb', 'a\u0001b'))).toBe('unproved')
    expect(verifyRevision(revision('a\ufffdb', 'a\uffffb', 'hash'))).toBe('unproved')
    expect(verifyRevision(revision('a\ufffdb', 'a text of another size altogether'))).toBe('different')
  })

  test('is explained by normalisation where undoing that gives the hash, and is otherwise not proved where it can have changed it', () => {
    const decomposed = 'cafe\u0301 '.repeat(30)
    expect(verifyRevision(revision(decomposed.normalize('NFC'), decomposed))).toBe('explained')
    const half = decomposed + decomposed.normalize('NFC')
    expect(verifyRevision(revision(half.normalize('NFC'), half))).toBe('unproved')
    const reordered = 'a\u0301\u0316'
    expect(verifyRevision(revision(`x${reordered.normalize('NFC')}`, `x${reordered}`))).not.toBe('different')
    expect(verifyRevision(revision('q\u0316\u0301', 'q\u0301\u0316'))).toBe('unproved')
    expect(verifyRevision(revision('\u0915\u093c', '\u0958'))).toBe('unproved')
    expect(verifyRevision(revision('caf\u00e9', `cafe\u0301${' and more'.repeat(9)}`))).toBe('different')
  })

  test('cannot be compared where there is no text or no hash', () => {
    expect(verifyRevision({ id: 1, bytes: 4, sha1: hash('text') })).toBe('no-text')
    expect(verifyRevision({ id: 1, text: 'text', slots: [{ role: 'x' }] })).toBe('no-text')
    expect(verifyRevision({ id: 1, text: 'text' })).toBe('no-hash')
    expect(verifyRevision({ id: 1, text: 'text', bytes: 4 })).toBe('no-hash')
  })

  test('is compared together with those of other slots', () => {
    const sha1 = hash(hash('main') + hash('{}'))
    const slot = { role: 'mediainfo', text: '{}', bytes: 2 }
    expect(verifyRevision({ id: 1, text: 'main', bytes: 4, sha1, slots: [slot] })).toBe('equal')
    expect(verifyRevision({ id: 1, text: 'main', bytes: 4, sha1, slots: [{ ...slot, text: '[]' }] })).toBe('different')
    expect(verifyRevision({ id: 1, text: 'main', bytes: 4, sha1, slots: [{ ...slot, bytes: 3 }] })).toBe('equal')
    const other = hash(hash('ma\r\nin') + hash('{}'))
    const before = { id: 1, text: 'ma\nin', sha1: other, slots: [slot] }
    expect(verifyRevision({ ...before, bytes: 6 })).toBe('explained')
    expect(verifyRevision({ ...before, sha1: hash('x'), bytes: 6 })).toBe('unproved')
  })
})

describe('xylem pages --verify', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'xylem-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('always says what was compared and what came of it', async () => {
    const dump = fixturePath('mediawiki/small-dump.xml')
    const { code, stderr } = await run(['pages', dump, '--verify'])
    expect(code).toBe(1)
    expect(stderr.split('\n')).toEqual([
      'revision 110: the text does not match its size or hash in the dump',
      'texts compared  6',
      'equal           4',
      'explained       0',
      'not proved      1',
      'different       1',
      'not comparable  3 (2 without a text, 1 without a hash)',
      '',
    ])
    expect((await run(['pages', dump, '--verify', '--title', 'Line ends'])).code).toBe(0)
  })

  test('calls a text with an element in it different', async () => {
    const file = join(folder, 'elements.xml')
    const text = '<text bytes="9">te<br/>xt</text>'
    const page = `<page><title>A</title><id>1</id><revision><id>2</id>${text}<sha1>${hash('te<br/>xt')}</sha1></revision></page>`
    writeFileSync(file, `<mediawiki>${page}</mediawiki>`)
    for (const kind of ['pages', 'revisions'])
      for (const jobs of ['1', '2']) {
        const message = expect.stringMatching(/text contains an element; .* \(line 1, column/)
        expect(await run([kind, file, '--verify', '--jobs', jobs])).toMatchObject({ code: 1, stderr: message })
        expect(await run([kind, file, '--jobs', jobs])).toMatchObject({ code: 3, stderr: message })
        const skipped = await run([kind, file, '--jobs', jobs, '--verify', '--on-error', 'skip-page'])
        expect(skipped).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('; skipped') })
      }
  })

  test('fails where the hashes of a dump without sizes are wrong', async () => {
    const file = join(folder, 'no-sizes.xml')
    const page = (id: number, stored: string) =>
      `<page><title>${id}</title><id>${id}</id><revision><id>${id}</id><text>text ${id}</text><sha1>${hash(stored)}</sha1></revision></page>`
    const write = (stored: (id: number) => string) =>
      writeFileSync(
        file,
        `<mediawiki>${Array.from({ length: 8 }, (_, id) => page(id, stored(id))).join('')}</mediawiki>`,
      )
    write((id) => `text ${id}`)
    expect(await run(['pages', file, '--verify'])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^equal +8$/m),
    })
    write((id) => `test ${id}`)
    const { code, stderr } = await run(['revisions', file, '--verify'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^different +8$/m)
  })
})

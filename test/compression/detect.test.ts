import { expect, test } from 'vitest'
import { detectCompression } from '../../source/compression/detect.ts'

const cases: [string, number[], string][] = [
  ['gzip', [0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3], 'gzip'],
  ['gzip with another method than deflate', [0x1f, 0x8b, 0x07, 0], 'none'],
  ['bzip2 with a block', [0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59], 'bzip2'],
  ['bzip2 without a block', [0x42, 0x5a, 0x68, 0x31, 0x17, 0x72, 0x45, 0x38, 0x50, 0x90], 'bzip2'],
  ['bzip2 cut off inside its first magic number', [0x42, 0x5a, 0x68, 0x39, 0x31], 'bzip2'],
  ['text that begins like bzip2', codesOf('BZh9 is a header'), 'none'],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd, 0x24], 'zstd'],
  ['zstd behind a frame that is skipped', [0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0], 'zstd'],
  ['zstd behind the last kind of those', [0x5f, 0x2a, 0x4d, 0x18, 4, 0, 0, 0], 'zstd'],
  ['a number above those', [0x60, 0x2a, 0x4d, 0x18, 4, 0, 0, 0], 'none'],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00], 'xz'],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0x00], '7z'],
  ['zip', [0x50, 0x4b, 0x03, 0x04, 0x14], 'zip'],
  ['zip without members', [0x50, 0x4b, 0x05, 0x06, 0], 'zip'],
  ['lz4', [0x04, 0x22, 0x4d, 0x18, 0x64], 'lz4'],
  ['lzma', [0x5d, 0, 0, 0x80, 0], 'lzma'],
  ['tar', codesOf(`${'a'.repeat(257)}ustar\x0000`), 'tar'],
  ['tar of GNU', codesOf(`${'a'.repeat(257)}ustar  \0`), 'tar'],
  ['tar cut off inside its magic', codesOf(`${'a'.repeat(257)}us`), 'none'],
  ['text with the magic of tar in its place', codesOf(`${'a'.repeat(257)}ustar  format</p>`), 'none'],
  ['XML', codesOf('<mediawiki'), 'none'],
  ['two bytes, which say nothing', [0x1f, 0x8b], 'none'],
  ['nothing', [], 'none'],
]

function codesOf(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0))
}

for (const [name, bytes, expected] of cases) {
  test(`${name} is ${expected}`, () => {
    expect(detectCompression(new Uint8Array(bytes))).toBe(expected)
  })
}

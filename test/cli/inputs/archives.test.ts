// Members of zip archives, which may stand wherever a command reads a file.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../support/command.ts'
import { isThorough } from '../../support/extent.ts'
import { fixturePath } from '../../support/fixtures.ts'
import { writeZip, type ZipEnd, type ZipMember } from '../../support/zip-writer.ts'

const dump = readFileSync(fixturePath('mediawiki/small-dump.xml'))
const packed = readFileSync(fixturePath('mediawiki/small-dump.xml.bz2'))
const grammar = readFileSync(fixturePath('grammar/json/json.bnf'))

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-archives-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

let written = 0
/** The path of a new archive. */
function put(members: readonly ZipMember[], end?: ZipEnd): string {
  return putBytes(writeZip(members, end))
}

function putBytes(bytes: Uint8Array): string {
  const path = join(folder, `${++written}.zip`)
  writeFileSync(path, bytes)
  return path
}

/** Standard output of a command that must do well. */
async function print(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

/** What a command says of an error, without the name of the folder. */
async function fail(...args: string[]): Promise<{ code: number | null; message: string }> {
  const { code, stdout, stderr } = await run(args)
  expect(stdout).toBe('')
  return { code, message: stderr.replaceAll(`${folder}/`, '') }
}

describe('a member of an archive', () => {
  test.each([
    ['check', []],
    ['pages', []],
    ['pages', ['--jobs', '3']],
    ['revisions', ['--fields', 'id,timestamp']],
    ['select', ['title', '--field', '.']],
    ['get', ['--title', 'Xylem']],
  ] as const)('is read by xylem %s %j as a file is, deflated, stored and compressed before', async (name, options) => {
    const archive = put([
      { name: 'folder/dump.xml', content: dump },
      { name: 'stored.xml', content: dump, method: 0 },
      { name: 'dump.xml.bz2', content: packed, method: 0 },
      { name: 'dump.xml.gz', content: gzipSync(dump) },
    ])
    const read = (input: string) =>
      name === 'select' ? print(name, options[0], input, ...options.slice(1)) : print(name, input, ...options)
    const expected = await read(fixturePath('mediawiki/small-dump.xml'))
    for (const member of ['folder/dump.xml', 'stored.xml', 'dump.xml.bz2', 'dump.xml.gz'])
      expect(await read(`${archive}/${member}`)).toBe(expected)
  })

  test('is described by xylem info with its own size', async () => {
    const archive = put([{ name: 'dump.xml', content: dump }])
    const [file, member] = await Promise.all(
      [fixturePath('mediawiki/small-dump.xml'), `${archive}/dump.xml`].map(async (input) =>
        JSON.parse(await print('info', '--json', input)),
      ),
    )
    expect(member).toEqual({ ...file, file: `${archive}/dump.xml` })
  })

  test('may be a grammar, an input for one, a list and a part of a workbook', async () => {
    const archive = put([
      { name: 'json.bnf', content: grammar },
      { name: 'one.json', content: '["one"]' },
      { name: 'titles.txt', content: 'Wood\n' },
      { name: 'dump.xml', content: dump },
    ])
    const json = join(folder, 'one.json')
    writeFileSync(json, '["one"]')
    const tree = await print('parse', '-g', fixturePath('grammar/json/json.bnf'), json)
    expect(await print('parse', '-g', `${archive}/json.bnf`, `${archive}/one.json`)).toBe(tree)
    expect(await print('pages', `${archive}/dump.xml`, '--titles', `@${archive}/titles.txt`, '--fields', 'title')).toBe(
      '{"title":"Wood"}\n',
    )
    const sheet = `${fixturePath('recipes/book.xlsx')}/xl/worksheets/sheet1.xml`
    expect(await print('select', 'row', sheet, '--field', 'row=@r', '--limit', '1')).toBe('{"row":"1"}\n')
  })

  test.each<[string, Omit<ZipMember, 'name' | 'content'>, ZipEnd?]>([
    ['has its sizes after its data', { hasDescriptor: true }],
    ['has sizes of 64 bits', { isZip64: true }, { isZip64: true }],
    ['is stored with its sizes after it', { method: 0, hasDescriptor: true }],
    ['is in an archive with a comment', {}, { comment: 'made by hand, PK' }],
  ])('is read where it %s', async (_, how, end) => {
    const archive = put(
      [
        { name: 'x', content: 'before' },
        { name: 'a.xml', content: dump, ...how },
      ],
      end,
    )
    expect(await print('check', `${archive}/a.xml`)).toBe('')
    expect(await print('pages', `${archive}/a.xml`)).toBe(await print('pages', fixturePath('mediawiki/small-dump.xml')))
  })

  test('may be empty, or have a name that is not ASCII', async () => {
    const archive = put([
      { name: 'empty.csv', content: '' },
      { name: 'größe 水.xml', content: '<a/>' },
      { name: 'höhe.xml', content: '<a/>', hidesUtf8: true },
    ])
    const empty = await run(['parse', '-g', '@csv', `${archive}/empty.csv`])
    expect(empty).toEqual({ code: 1, stdout: '', stderr: 'xylem: no value found\n' })
    for (const name of ['größe 水.xml', 'höhe.xml']) expect(await print('check', `${archive}/${name}`)).toBe('')
  })

  test('is named in messages by its archive and its name, with exit codes as for files', async () => {
    const archive = put([{ name: 'bad.xml', content: '<a><b></a>' }])
    const { code, stdout } = await run(['check', `${archive}/bad.xml`])
    expect(code).toBe(1)
    expect(stdout).toContain(`${archive}/bad.xml:1:9: the end tag </a> does not match <b>`)
  })

  test('gives a file with its archive as an input: the output must not be that', async () => {
    const archive = put([{ name: 'a.xml', content: '<a><b/></a>' }])
    const output = join(folder, 'out.jsonl')
    await print('select', 'b', `${archive}/a.xml`, '--output', output)
    expect(readFileSync(output, 'utf8')).toBe('{"name":"b","attributes":[],"children":[]}\n')
    const refused = join(folder, 'refused.jsonl')
    writeFileSync(refused, readFileSync(archive))
    expect(await fail('select', 'b', `${refused}/a.xml`, '--output', refused)).toEqual({
      code: 2,
      message: 'xylem: the output would overwrite the input: refused.jsonl\n',
    })
  })

  test('cannot be read from the middle, so plans and indexes take files and URLs', async () => {
    const archive = put([{ name: 'dump.xml', content: dump }])
    const member = `${archive}/dump.xml`
    for (const [args, message] of [
      [['plan', member], 'xylem plan can read files and URLs only, not'],
      [['pages', member, '--resume', '--output', join(folder, 'parts')], '--resume can read files only, not'],
      [['index', member, '--output', '-'], 'an index finds pages in the middle of a dump; give a file or a URL, not'],
    ] as const) {
      const { code, message: said } = await fail(...args)
      expect(code).toBe(2)
      expect(said).toContain(message)
    }
  })

  test('is a file where there is a folder of that name', async () => {
    const path = join(folder, 'folder.zip')
    mkdirSync(path)
    writeFileSync(join(path, 'a.xml'), '<a/>')
    expect(await print('check', `${path}/a.xml`)).toBe('')
    expect((await fail('check', `${path}/b.xml`)).message).toBe('xylem: folder.zip/b.xml: no such file\n')
  })
})

describe('a pattern for members', () => {
  const names = ['part10.xml', 'part2.xml', 'part2.xml.txt', 'in/part3.xml', 'in/deep/part4.xml', '[Content_Types].xml']
  const members = names.map((name) => ({ name, content: `<a>${name}</a>` }))

  test.each([
    ['*.xml', ['[Content_Types].xml', 'part2.xml', 'part10.xml']],
    ['part?.xml', ['part2.xml']],
    ['in/*', ['in/part3.xml']],
    ['**/part*.xml', ['in/deep/part4.xml', 'in/part3.xml', 'part2.xml', 'part10.xml']],
    ['in/**', ['in/deep/part4.xml', 'in/part3.xml']],
    ['[Content_Types].xml', ['[Content_Types].xml']],
    ['[*.xml', ['[Content_Types].xml']],
  ])('%s matches members in the order of their names, numbers by their size', async (pattern, expected) => {
    const archive = put([...members, { name: 'in/', content: '', method: 0 }])
    const lines = (await print('select', 'a', '--field', '.', `${archive}/${pattern}`)).split('\n').slice(0, -1)
    expect(lines.map((line) => JSON.parse(line)['.'])).toEqual(expected)
  })

  test('that is the name of a member is that member alone', async () => {
    const archive = put([...members, { name: '*.xml', content: '<a>itself</a>' }])
    expect(await print('select', 'a', '--field', '.', `${archive}/*.xml`)).toBe('{".":"itself"}\n')
  })

  test('that matches nothing is an error with some names', async () => {
    expect(await fail('check', `${put(members)}/*.rdf`)).toEqual({
      code: 2,
      message: `xylem: no member of ${written}.zip matches *.rdf; the archive has [Content_Types].xml, in/deep/part4.xml, in/part3.xml, part2.xml, part2.xml.txt, and 1 more\n`,
    })
  })
})

describe('an archive', () => {
  test('that is given as an input is refused before anything is read, with the name of its largest document', async () => {
    const archive = put([
      { name: '[Content_Types].xml', content: '<a/>' },
      { name: 'picture.png', content: 'x'.repeat(1000) },
      { name: 'xl/sheet.xml', content: '<a>more</a>' },
    ])
    const expected = `xylem: ${written}.zip: it is a zip archive; name a member of it, such as ${written}.zip/xl/sheet.xml\n`
    for (const args of [
      ['pages'],
      ['check'],
      ['info'],
      ['select', 'a'],
      ['parse', '-g', '@csv'],
      ['get', '--id', '1'],
      ['plan'],
    ])
      expect(await fail(...args, archive)).toEqual({ code: 3, message: expected })
    expect((await fail('check', `${archive}/`)).message).toContain('it is a zip archive; name a member of it')
    expect((await fail('check', put([]))).message).toContain('it is a zip archive without members')
    expect((await fail('check', put([{ name: 'a', content: '' }]))).message).toContain(`such as ${written}.zip/a\n`)
  })

  test('that comes from standard input says how to extract a member', async () => {
    const { code, stderr } = await run(['pages', '-'], writeZip([{ name: 'a.xml', content: dump }]))
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr:
        'xylem: standard input: zip: this format is not supported; decompress it first: unzip -p FILE MEMBER | … (byte 0)\n',
    })
  })

  test('that is missing, and a file that is none, are reported as what they are', async () => {
    expect(await fail('check', join(folder, 'missing.zip/a.xml'))).toEqual({
      code: 5,
      message: 'xylem: missing.zip/a.xml: no such file\n',
    })
    const file = join(folder, 'plain.xml')
    writeFileSync(file, '<a/>')
    expect(await fail('check', `${file}/a.xml`)).toEqual({
      code: 5,
      message: 'xylem: plain.xml: it is not a zip archive, so it has no members\n',
    })
  })

  test('within an archive is not read', async () => {
    const archive = put([{ name: 'inner.zip', content: writeZip([{ name: 'a.xml', content: '<a/>' }]) }])
    expect(await fail('check', `${archive}/inner.zip/a.xml`)).toEqual({
      code: 3,
      message: `xylem: ${written}.zip/inner.zip/a.xml: an archive within an archive is not read; extract ${written}.zip/inner.zip first\n`,
    })
    const { code, message } = await fail('check', `${archive}/inner.zip`)
    expect({ code, message }).toEqual({
      code: 3,
      message: expect.stringContaining(`xylem: ${written}.zip/inner.zip: zip: this format is not supported`),
    })
  })
})

describe('an error in an archive', () => {
  const good = { name: 'a.xml', content: '<a>content</a>' }

  test.each<[string, ZipMember[], number, string]>([
    ['no such member', [good], 5, 'no such member; the archive has b.xml; did you mean'],
    [
      'a name without its folder',
      [{ name: 'f/g/a.xml', content: '' }],
      5,
      'no such member; the archive has f/g/a.xml; did you mean',
    ],
    ['a folder', [{ name: 'a.xml/b.xml', content: '' }], 5, "it is a folder of the archive; a pattern such as '"],
    ['an encrypted member', [{ ...good, flags: 1 }], 3, 'it is encrypted; extract it first'],
    ['bzip2 as a method', [{ ...good, method: 12 }], 3, 'it is compressed with bzip2 (12), and only Deflate is read'],
    ['an unknown method', [{ ...good, method: 77 }], 3, 'it is compressed with an unknown method (77)'],
    ['a name that is there twice', [good, good], 3, 'the archive has 2 members with this name'],
    ['a wrong checksum', [{ ...good, claimed: { checksum: 1 } }], 3, 'zip: the checksum of the member is wrong (byte '],
    [
      'a wrong checksum of what is stored',
      [{ ...good, method: 0, claimed: { checksum: 1 } }],
      3,
      'zip: the checksum of',
    ],
    ['a size that is too small', [{ ...good, claimed: { size: 13 } }], 3, 'zip: the member has more than 13 bytes'],
    ['a size that is too large', [{ ...good, claimed: { size: 15 } }], 3, 'zip: the member has 14 bytes, and not 15'],
    [
      'less data than there is',
      [{ ...good, claimed: { compressedSize: 9 } }],
      3,
      'zip: the input ends inside a member',
    ],
    [
      'more data than there is',
      [{ ...good, claimed: { compressedSize: 20 } }],
      3,
      'zip: the data of the member has 16 bytes, and not 20',
    ],
    [
      'data outside of the archive',
      [{ ...good, claimed: { compressedSize: 2000 } }],
      3,
      'zip: the archive is cut off or corrupt: file data overflows',
    ],
    [
      'data that is not deflated',
      [{ ...good, data: Buffer.alloc(20, 0xff) }],
      3,
      'zip: the deflated data is corrupt (byte ',
    ],
  ])('is one line: %s', async (what, members, code, message) => {
    const archive = put(what === 'no such member' ? [{ ...good, name: 'b.xml' }] : members)
    const { code: exitCode, stderr } = await run(['select', 'a', `${archive}/a.xml`])
    expect(stderr).toContain(`xylem: ${archive}/a.xml: ${message}`)
    expect(stderr.split('\n')).toHaveLength(2)
    expect(exitCode).toBe(code)
  })

  test('is found wherever the archive is cut', async () => {
    const bytes = writeZip([good])
    for (let length = 4; length < bytes.length; length += 7) {
      const { code, message } = await fail('check', `${putBytes(bytes.subarray(0, length))}/a.xml`)
      expect(code).toBe(3)
      expect(message).toContain(`xylem: ${written}.zip: zip: the archive is cut off or corrupt: `)
    }
  })

  test('is a head that is damaged, where the directory is not', async () => {
    const bytes = writeZip([good])
    bytes[0] = 0
    expect(await fail('check', `${putBytes(bytes)}/a.xml`)).toEqual({
      code: 3,
      message: expect.stringContaining(
        `xylem: ${written}.zip/a.xml: zip: the archive is cut off or corrupt: invalid local`,
      ),
    })
  })

  test('is an end that claims fewer members than there are', async () => {
    const archive = put([good, { ...good, name: 'b.xml' }], { count: 1 })
    expect(await fail('check', `${archive}/*`)).toEqual({
      code: 3,
      message: expect.stringContaining(
        `xylem: ${written}.zip: zip: the archive has more members than its end says (byte `,
      ),
    })
  })

  test('is reported by commands that judge, which continue with the other members', async () => {
    const archive = put([
      { name: '1.xml', content: '<a>' },
      { name: '2.xml', content: '<a/>', flags: 1 },
      { name: '3.xml', content: '<a/>', claimed: { checksum: 7 } },
      { name: '4.xml', content: '<b>' },
    ])
    const { code, stdout, stderr } = await run(['check', `${archive}/*`])
    expect(code).toBe(3)
    expect(stdout.match(/^\S+\.zip\/\d/gm)).toEqual([`${archive}/1`, `${archive}/4`])
    expect(stderr.match(/\d\.xml: .{10}/g)).toEqual(['2.xml: it is encr', '3.xml: zip: the c'])
  })

  test('comes after what was read before it', async () => {
    const archive = put([{ name: 'dump.xml', content: dump, claimed: { checksum: 7 } }])
    const { code, stdout, stderr } = await run(['pages', `${archive}/dump.xml`, '--fields', 'id'])
    expect(code).toBe(3)
    expect(stdout.split('\n').length).toBeGreaterThan(5)
    expect(stderr).toContain('zip: the checksum of the member is wrong')
  })
})

test.runIf(isThorough)('a bomb ends at --max-input', async () => {
  const size = 300_000_000
  const bomb = Buffer.concat([
    deflateRawSync(Buffer.concat([Buffer.from('<a>'), Buffer.alloc(size, ' ')])),
    Buffer.alloc(0),
  ])
  const archive = put([
    { name: 'bomb.xml', content: '', data: bomb, claimed: { size: size + 3 } },
    { name: 'liar.xml', content: '', data: bomb, claimed: { size: 10 } },
  ])
  expect(bomb.length).toBeLessThan(400_000)
  const { code, message } = await fail('select', 'a', `${archive}/bomb.xml`, '--max-input', '1M')
  expect({ code, message }).toEqual({
    code: 3,
    message: expect.stringContaining('the input has more than 1000000 bytes, the limit (--max-input)'),
  })
  expect((await fail('select', 'a', `${archive}/liar.xml`)).message).toContain('zip: the member has more than 10 bytes')
})

// What was asked for and is not there: a line at the end on standard error, and the exit code 1.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inPieces } from '../support/collect.ts'
import { run } from '../support/command.ts'
import { isThorough } from '../support/extent.ts'
import { fixturePath } from '../support/fixtures.ts'

const dump = fixturePath('mediawiki/small-dump.xml')
const empty = '<mediawiki><siteinfo><case>first-letter</case></siteinfo></mediawiki>'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-nothing-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** What a command says, and its exit code. */
async function say(
  args: string[],
  input: Parameters<typeof run>[1] = '',
): Promise<[code: number | null, said: string]> {
  const { code, stderr } = await run(args, input)
  return [code, stderr]
}

/** A dump of a wiki whose titles begin in a certain way, with pages of these titles. */
function makeDump(how: string, titles: readonly string[], username = 'Ada L'): string {
  const pages = titles.map(
    (title, i) =>
      `<page><title>${title}</title><ns>0</ns><id>${i + 1}</id><revision><id>${i}</id><contributor><username>${username}</username></contributor><text/></revision></page>`,
  )
  const namespaces = `<namespace key="0" case="${how}"/><namespace key="10" case="${how}">Vorlage</namespace>`
  return `<mediawiki xml:lang="tr"><siteinfo><namespaces>${namespaces}</namespaces></siteinfo>${pages.join('')}</mediawiki>`
}

describe('a run in which no record was found', () => {
  const feed = '<a:feed xmlns:a="u"><a:entry><a:title>x</a:title></a:entry><item n="1"/><q/></a:feed>'
  test.each([
    ['itm', '; did you mean item?'],
    ['feed/entyr', '; did you mean *:feed?'],
    ['entry', '; did you mean *:entry?'],
    ['//Item[@n="1"]', '; did you mean item?'],
    ['item[@n="2"]', ''],
    ['nothing', ''],
    ['r', ''],
    ['a:entri', '; did you mean a:entry?'],
  ])('names the element that was probably meant: %s%s', async (path, advice) => {
    const [code, said] = await say(['select', path, write('feed.xml', feed)])
    expect([code, said]).toEqual([1, `xylem: no element found${advice}\n`])
  })

  test('names none where the input cannot be read again, a prefix is declared, or nothing is to be said', async () => {
    expect(await say(['select', 'itm'], feed)).toEqual([1, 'xylem: no element found\n'])
    const path = write('feed.xml', feed)
    expect(await say(['select', 'a:entri', '--prefix', 'a=v', path])).toEqual([1, 'xylem: no element found\n'])
    expect(await say(['select', 'itm', path, '--no-warnings'])).toEqual([1, ''])
    expect(await say(['select', 'itm', path, '--limit', '0'])).toEqual([0, ''])
  })

  test.each([
    ['page', ['pages', dump, '--title', 'nothing']],
    ['page', ['pages', dump, '--title', 'nothing', '--format', 'csv']],
    ['page', ['pages', dump, dump, '--jobs', '1', '--ids', '1-', '--since', '2100']],
    ['revision', ['revisions', dump, '--until', '1999']],
    ['element', ['select', 'titel', dump]],
    ['element', ['select', '--xml', 'titel', dump]],
    ['record', ['select', 'page[@x="1"]', dump, dump, '--field', 'title']],
  ])('says that no %s was found, and exits with 1: xylem %j', async (noun, args) => {
    const [code, said] = await say(args)
    expect({ code, said: said.replace(/with the id 1-\n/, '\n') }).toEqual({
      code: 1,
      said: expect.stringMatching(`^xylem: no ${noun} found\\b`),
    })
    expect(said.split('\n')).toHaveLength(2)
    expect(await say([...args, '--quiet'])).toEqual([1, said])
    expect(await say([...args, '--no-warnings'])).toEqual([1, ''])
    expect(await say([...args, '--allow-empty'])).toEqual([0, said])
    expect(await say([...args, '--limit', '0'])).toEqual([0, ''])
  })

  test('may have read a dump without pages, however it arrives', async () => {
    for (const input of [empty, inPieces(Buffer.from(empty), 1)])
      expect(await run(['pages', '-'], input)).toEqual({ code: 1, stdout: '', stderr: 'xylem: no page found\n' })
    expect(await say(['pages', write('empty.xml', empty), dump])).toEqual([0, ''])
  })

  test('may be one of a grammar that gives no value', async () => {
    const grammar = write('lines.bnf', 'program ::= line* ;\nline ::= word:word %"\\n" ;\nword ::= [a-z]+ ;\n')
    const args = ['parse', '-g', grammar, '--emit', 'line']
    const [code, said] = await say(args)
    expect({ code, said }).toEqual({ code: 1, said: 'xylem: no value found\n' })
    expect(await say([...args, '--allow-empty', '--no-warnings'])).toEqual([0, ''])
    expect(await say(args, 'a\n')).toEqual([0, ''])
    expect(await say([...args, '--tree'])).toEqual([1, 'xylem: no node found\n'])
  })

  test('still writes its output', async () => {
    const output = join(folder, 'nothing.json')
    expect(await say(['pages', dump, '--title', 'nothing', '--output', output])).toEqual([1, 'xylem: no page found\n'])
    expect(JSON.parse(readFileSync(output, 'utf8'))).toEqual([])
  })

  test('ends with the code of its error where there was one', async () => {
    expect((await say(['pages', '-'], empty.slice(0, -3)))[0]).toBe(3)
    expect((await say(['select', 'b', '-'], '<a>'))[1]).not.toContain('found')
  })
})

describe('a value that no record has', () => {
  test('is named, and the others are printed', async () => {
    const { code, stdout, stderr } = await run(['pages', dump, '--titles', 'Wood|Wod', '--fields', 'id'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '{"id":3}\n' })
    expect(stderr).toBe('xylem: no page found with the title "Wod"\n')
    expect(await say(['pages', dump, '--titles', 'Wood|Wod', '--allow-empty'])).toEqual([0, stderr])
  })

  test.each([
    ['with the ids 2, 60-70, 500-', ['--ids', '1,2,3-5,60-70,500-']],
    ['with the titles "A", "B", "C", "D", "E" and 2 more', ['--titles', 'A|B|C|D|Wood|E|F|G']],
    ['with the content model css', ['--model', 'wikitext,css']],
    ['by "Nobody", "192.0.2.9"', ['--contributor', 'Ada,Nobody,192.0.2.9']],
  ])('is said of each list of values: no page found %s', async (said, args) => {
    expect(await say(['pages', dump, ...args])).toEqual([1, `xylem: no page found ${said}\n`])
    expect((await say(['revisions', dump, ...args]))[1]).toContain('xylem: no revision found ')
    expect(await say(['pages', dump, ...args, '--limit', '1'])).toEqual([0, ''])
  })

  test('counts as seen if one of several inputs has it', async () => {
    const other = write('other.xml', makeDump('first-letter', ['Tree']))
    expect(await say(['pages', dump, other, '--titles', 'Tree|Wood'])).toEqual([0, ''])
    expect(await say(['pages', dump, other, '--titles', 'Tree|Wood|Root'])).toEqual([
      1,
      'xylem: no page found with the title "Root"\n',
    ])
  })

  test('is looked for in the records that all other conditions let through', async () => {
    const args = ['pages', dump, '--titles', 'Wood|Xylem', '--redirects', 'out']
    expect(await say(args)).toEqual([1, 'xylem: no page found with the title "Wood"\n'])
  })

  test('is said of a field that is added in the revision, also with dots in its name', async () => {
    const args = ['pages', dump, '--fields', 'id,a.b=revision/nix,c.d=revision/id,e.f=nix']
    expect(await say(args)).toEqual([1, 'xylem: nothing found for the fields a.b, e.f\n'])
  })

  test.runIf(isThorough)('is said of the parts of a plan together, by commit and by --resume', async () => {
    const asked = ['--titles', 'Wood|Wod|module:old', '--ids', '3,11,12', '--fields', 'id,revision.comment,x=nix']
    const plan = await run(['plan', dump, '--range-size', '2000', ...asked])
    const [, ...ranges] = plan.stdout.trimEnd().split('\n')
    const parts = join(folder, 'parts')
    for (const planned of ranges) expect(await say(['read', planned, '--output', parts])).toEqual([0, ''])
    const path = write('plan.jsonl', plan.stdout)
    const committed = await run(['commit', path, parts])
    const said =
      'xylem: warning: the field revision.comment is empty in every page\n' +
      'xylem: no page found with the title "Wod"\nxylem: no page found with the id 11\nxylem: nothing found for the field x\n'
    expect(committed).toMatchObject({ code: 1, stderr: said })
    expect(JSON.parse(committed.stdout)).toMatchObject({
      records: 2,
      missing: { titles: ['Wod'], ids: ['11'], fields: ['revision.comment', 'x=nix'] },
    })
    expect(JSON.parse(readFileSync(join(parts, '_SUCCESS'), 'utf8')).missing.ids).toEqual(['11'])
    expect(await say(['commit', path, parts, '--allow-empty', '--no-warnings'])).toEqual([0, ''])
    const resumed = ['pages', dump, ...asked, '--resume', '--range-size', '2000', '--output', join(folder, 'resumed')]
    for (const _ of ['first', 'again']) expect(await say(resumed)).toEqual([1, said])
    expect(await say(['pages', dump, ...asked])).toEqual([1, said])
  })
})

describe('a field', () => {
  test('that is empty in every record is warned of where it was chosen, with the exit code 0', async () => {
    const chosen = ['--titles', 'Wood', '--fields', 'title,redirect,minor,uploads']
    expect(await say(['revisions', dump, '--titles', 'Xylem', '--fields', 'id,page.redirect'])).toEqual([
      0,
      'xylem: warning: the field page.redirect is empty in every revision\n',
    ])
    const args = ['pages', dump, ...chosen.with(-1, 'title,redirect,revision.minor,uploads,uploads.0.size')]
    const said = 'xylem: warning: the fields revision.minor, uploads are empty in every page\n'
    expect(await say(args)).toEqual([0, said])
    expect(await say([...args, '--no-warnings'])).toEqual([0, ''])
    expect(await say(['pages', dump, '--titles', 'Xylem', '--format', 'csv'])).toEqual([0, ''])
  })

  test('that is a path which leads to nothing is an error', async () => {
    for (const [args, said] of [
      [['pages', dump, '--fields', 'id,t=title,x=titel,y[]=revision/nix'], 'fields x, y'],
      [['revisions', dump, '--fields', 'id,t=page/title,x=page/titel'], 'field x'],
      [['select', 'page', dump, '--field', 'title', '--field', 'titel'], 'field titel'],
      [['select', 'page', dump, '--field', 'r[]=revisoin/id', '--format', 'csv'], 'field r'],
      // Of records in records: those that are nowhere, and fields that none of them has.
      [['select', 'page', dump, '--field', 'r[].id=revisoin/id', '--field', 'r[].sha=revisoin/sha1'], 'field r'],
      [['select', 'page', dump, '--field', 'r[].id=revision/id', '--field', 'r[].sha=revision/sah1'], 'field r.sha'],
    ] as const) {
      const expected = `xylem: nothing found for the ${said}\n`
      expect(await say([...args])).toEqual([1, expected])
      expect(await say([...args, '--allow-empty'])).toEqual([0, expected])
      expect(await say([...args, '--limit', '1'])).toEqual([0, ''])
    }
  })
})

describe('titles and contributors', () => {
  const find = async (text: string, ...args: string[]) => {
    const { stdout } = await run(['pages', '-', '--fields', 'title', '--no-warnings', ...args], text)
    return stdout
      .trimEnd()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).title)
  }
  const titles = ['İpod', 'ipod', 'ßen', 'Vorlage:Tree house', 'Other: thing']

  test('are compared as the wiki does: with a capital letter at the beginning, and names of namespaces', async () => {
    const text = makeDump('first-letter', titles)
    // A title that is given exactly is found, too.
    expect(await find(text, '--titles', 'ipod')).toEqual(['İpod', 'ipod'])
    expect(await find(makeDump('first-letter', ['İpod']), '--titles', 'ipod')).toEqual(['İpod'])
    expect(await find(text, '--titles', 'ßen')).toEqual(['ßen'])
    expect(await find(text, '--titles', 'template:tree__house')).toEqual(['Vorlage:Tree house'])
    expect(await find(text, '--titles', 'vorlage:_tree house|other:_thing')).toEqual(titles.slice(3))
  })

  test('keep their first letter where the wiki distinguishes it, and where nothing is known of it', async () => {
    const text = makeDump('case-sensitive', titles)
    expect(await find(text, '--titles', 'ipod')).toEqual(['ipod'])
    expect(await find(text, '--titles', 'template:tree house')).toEqual([])
    expect(await find(text.replace(/<siteinfo>.*<\/siteinfo>/, ''), '--titles', 'ipod')).toEqual(['ipod'])
  })

  test('are compared in this way by get, with an index and without', async () => {
    const path = write('indexed.xml', makeDump('first-letter', [...titles, 'Elm']))
    const get = async (title: string) => (await run(['get', path, '--title', title])).stdout.slice(0, 40)
    // The page with the title as it is given comes before one that the wiki means by it, wherever it stands.
    const asked = ['ipod', 'template:tree_house', 'other:_thing', 'İpod', 'ipods', 'elm']
    const without = await Promise.all(asked.map(get))
    expect(without.map((line) => /"id":(\d)/.exec(line)?.[1])).toEqual(['2', '4', '5', '1', undefined, '6'])
    expect(await run(['index', path, '--output', `${path}.index`])).toMatchObject({ code: 0 })
    expect(await Promise.all(asked.map(get))).toEqual(without)
  })

  test('are those of each input by its own wiki', async () => {
    const one = write('one.xml', makeDump('first-letter', ['Wood']))
    const other = write('two.xml', makeDump('case-sensitive', ['wood', 'Wood']))
    const { code, stdout, stderr } = await run(['pages', one, other, '--titles', 'wood', '--fields', 'title'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe('{"title":"Wood"}\n{"title":"wood"}\n')
  })

  test('of contributors may have underscores, and need no capital letter', async () => {
    expect(await find(makeDump('case-sensitive', ['A']), '--contributor', 'ada_L')).toEqual(['A'])
    expect(await find(makeDump('case-sensitive', ['A'], 'ada L'), '--contributor', 'ada L')).toEqual(['A'])
    expect(await find(makeDump('case-sensitive', ['A']), '--contributor', 'Ada l')).toEqual([])
  })
})

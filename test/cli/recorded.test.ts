// What the commands for dumps print is what they printed when it was recorded in test/cli/recorded/. `npx vitest run test/cli/recorded.test.ts
// --update` records it anew; what depends on `npm run test:all` needs its configuration.

import { readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { readDump } from '../../source/mediawiki/index.ts'
import { encodeBzip2 } from '../support/bzip2-encoder.ts'
import { collect, inPieces } from '../support/collect.ts'
import { run } from '../support/command.ts'
import { QUESTIONS, WORDS } from '../support/command-lines.ts'
import { COMMANDS, DumpTranscripts } from '../support/dump-transcripts.ts'
import { isThorough, sample } from '../support/extent.ts'
import { findSharedData, fixturePath, readFixture } from '../support/fixtures.ts'
import { writeZip } from '../support/zip-writer.ts'

const RECORDED = fileURLToPath(new URL('recorded/', import.meta.url))
const dumps = new DumpTranscripts()
afterAll(() => dumps[Symbol.dispose]())

const compare = (text: string, name: string) => expect(text).toMatchFileSnapshot(join(RECORDED, `${name}.txt`))

describe('what people ask and mistype prints what was recorded', () => {
  const recipes = ['feed.rss', 'feed.atom', 'junit.xml', 'suite.shape.json', 'book.xlsx', 'map.osm']
  const prepare = () => {
    for (const name of recipes) dumps.put(name, fixturePath(`recipes/${name}`))
    for (const name of ['small-dump.xml', 'small-dump.xml.xz']) dumps.put(name, fixturePath(`mediawiki/${name}`))
    dumps.put('nested.xml', Buffer.from('<r><a n="1"><b><a n="2"/></b></a><a n="3"/></r>'))
    const feed = { name: 'feed.rss', content: readFixture('recipes/feed.rss') }
    dumps.put('feeds.zip', writeZip([feed, { name: 'notes.txt', content: 'Notes' }]))
    return dumps.start()
  }

  test.each([
    ['questions', QUESTIONS],
    ['words', WORDS],
  ])('%s', async (name, commands) => {
    const transcript = prepare()
    const place = (part: string) =>
      /^'?[\w-]+\.(?:rss|atom|xml|xlsx|zip|osm|shape\.json)/.test(part)
        ? part.replace(/^'?/, `$&${dumps.folder}/`)
        : part
    for (const command of commands) await transcript.run(command.split(' ').map(place).join(' '), { shown: command })
    if (name === 'words') await runParts(transcript)
    await compare(transcript.text, name)
  })

  /** What is said of folders of parts and their plans. */
  async function runParts(transcript: ReturnType<typeof dumps.start>): Promise<void> {
    const dump = join(dumps.folder, 'small-dump.xml')
    const parts = join(dumps.folder, 'parts')
    const resume = `pages ${dump} --resume --range-size 4000 --output ${parts}`
    const plan = await transcript.run(`plan ${dump} --range-size 4000`)
    await transcript.run(`commit - ${parts}`, { input: plan.stdout })
    await transcript.run(`${resume} --fields id --quiet`)
    // The dump is touched: it is the same one.
    utimesSync(dump, 1_800_000_000, 1_800_000_000)
    await transcript.run(`${resume} --fields id --quiet --stats`)
    await transcript.run(`${resume} --fields id,title --quiet`)
  }
})

describe('the commands for dumps print what was recorded', () => {
  const { records, filtered, checked, parallel, refused, got, few } = COMMANDS

  const recorded = [
    ['small-dump', [...records, ...filtered, ...checked, ...got]],
    ['oddities-doctype', [...records, ...checked, ...got]],
    ['oddities', [...records, ...filtered, ...checked, ...parallel, ...refused, ...got]],
  ] as const
  test.each(sample(recorded, 1))('of the dump %s', async (name, commands) => {
    const transcript = dumps.start()
    const dump = dumps.put(`${name}.xml`, fixturePath(`mediawiki/${name}.xml`))
    await dumps.runAll(transcript, dump, commands)
    await dumps.runIndex(transcript, dump, 7)
    await compare(transcript.text, name)
  })

  const ranges = [
    ['small-dump', 2000],
    ['oddities', 12_000],
  ] as const
  test.each(sample(ranges, 1))('of ranges of the dump %s', async (name, size) => {
    const transcript = dumps.start()
    const dump = dumps.put(`${name}.xml`, fixturePath(`mediawiki/${name}.xml`))
    await dumps.runPlan(transcript, dump, size, '')
    await dumps.runPlan(transcript, dump, size, '--revisions --ns 0 --fields page.id,id,timestamp')
    await compare(transcript.text, `${name}-ranges`)
  })

  test.runIf(isThorough)('of dumps that are compressed with bzip2', async () => {
    const transcript = dumps.start()
    for (const name of ['oddities', 'small-dump']) {
      const archive = dumps.put(
        `${name}.xml.bz2`,
        encodeBzip2(readFixture(`mediawiki/${name}.xml`), { blockSize: 3000 }),
      )
      for (const jobs of [1, 2]) {
        for (const command of ['pages', 'revisions', 'pages --fields id,title', 'pages --verify'])
          await transcript.run(`${command} ${archive} --jobs ${jobs}`)
      }
      await dumps.runIndex(transcript, archive, 7)
    }
    const multistream = dumps.put(
      'small-dump-multistream.xml.bz2',
      fixturePath('mediawiki/small-dump-multistream.xml.bz2'),
    )
    await dumps.runPlan(transcript, multistream, 500, '--redirects out')
    await compare(transcript.text, 'compressed')
  })

  test.runIf(isThorough)('of dumps with errors', async () => {
    const texts: string[] = []
    for (const [name, content] of Object.entries(makeDamaged())) {
      const transcript = dumps.start()
      const dump = dumps.put(`${name}.xml`, content)
      const isReadOn = ['replaced', 'invalid', 'malformed'].includes(name)
      const onErrors = parallel.filter((command) => command.includes('--on-error'))
      await dumps.runAll(transcript, dump, isReadOn ? [...few, ...checked, ...onErrors] : few)
      await dumps.runPlan(transcript, dump, isReadOn ? 400 : 150, isReadOn ? '--on-error skip-page' : '')
      texts.push(transcript.text)
    }
    await compare(texts.join('\n'), 'errors')
  })

  const real = findSharedData('ltgwiki-pages-articles.xml.bz2')
  test.runIf(real)('of a real dump', async () => {
    const transcript = dumps.start(1000)
    const archive = dumps.put('ltgwiki.xml.bz2', real as string)
    const dump = dumps.put('ltgwiki.xml', await decompressed(archive))
    await dumps.runAll(transcript, dump, [...records, ...filtered, ...checked, ...parallel, ...got])
    await dumps.runAll(transcript, archive, [...records, ...checked, ...parallel])
    await dumps.runPlan(transcript, dump, 1_000_000, '')
    await dumps.runPlan(transcript, archive, 200_000, '--revisions --ns 0')
    await compare(transcript.text, 'ltgwiki')
  })
})

describe('however a dump arrives', () => {
  test.each(sample(['small-dump', 'oddities-doctype', 'oddities'], 1))(
    'the commands print the same of %s',
    async (name) => {
      const bytes = readFixture(`mediawiki/${name}.xml`)
      const fromFile = dumps.start()
      for (const command of COMMANDS.piped)
        await fromFile.run(command.replace('DUMP', fixturePath(`mediawiki/${name}.xml`)), { shown: command })
      for (const size of isThorough ? [bytes.length, 1, 7] : [bytes.length, 97]) {
        const transcript = dumps.start()
        await dumps.runPiped(transcript, inPieces(bytes, size))
        expect(transcript.text).toBe(fromFile.text)
      }
    },
  )

  test.each(sample(['oddities-doctype', 'oddities'], 1))(
    'the library yields what the commands print of %s',
    async (name) => {
      const dump = fixturePath(`mediawiki/${name}.xml`)
      const pages = await run(['pages', dump])
      const revisions = await run(['revisions', dump, '--jobs', '1'])
      expect([pages.code, revisions.code]).toEqual([0, 0])
      for (const chunks of arrivals(readFixture(`mediawiki/${name}.xml`))) {
        const open = () => readDump(arriving(chunks))
        expect(await toLines(open().pages())).toBe(pages.stdout)
        expect(await toLines(open().revisions())).toBe(revisions.stdout)
        const lines = []
        for await (const { bytes } of open().pageLines()) lines.push(bytes)
        expect(Buffer.concat(lines).toString()).toBe(pages.stdout)
      }
    },
  )
})

async function decompressed(path: string): Promise<Uint8Array> {
  const { decompress } = await import('../../source/compression/index.ts')
  return collect(decompress([readFileSync(path)]))
}

/** Complete, byte by byte, and in larger pieces: the dumps are too large to be cut at every byte. */
function* arrivals(bytes: Uint8Array): Generator<Uint8Array[]> {
  yield [bytes]
  yield inPieces(bytes, isThorough ? 1 : 97)
  const cuts = isThorough ? 100 : 3
  for (let i = 1; i <= cuts; i++) yield inPieces(bytes, Math.ceil((bytes.length * i) / (cuts + 1)))
}

async function* arriving(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks
}

async function toLines(records: AsyncIterable<object>): Promise<string> {
  let lines = ''
  for await (const record of records) lines += `${JSON.stringify(record)}\n`
  return lines
}

/** Dumps in which something is wrong, by what it is. */
function makeDamaged(): Record<string, Uint8Array> {
  const page = (id: string, more = '', text = 'text') =>
    `  <page><title>Page ${id}</title><ns>0</ns>${id === '' ? '' : `<id>${id}</id>`}${more}<revision><id>1${id}</id><text bytes="4">${text}</text></revision></page>\n`
  const dump = (...pages: string[]) => `<mediawiki>\n${pages.join('')}</mediawiki>\n`
  const around = (...odd: string[]) => dump(page('1'), ...odd, page('8', '', 'after'), page('9'))
  const site =
    '<siteinfo><sitename>A & B &c; &amp;</sitename><namespaces><namespace key="0"/><namespace key="4">A&B</namespace></namespaces></siteinfo>'
  const texts: Record<string, string> = {
    replaced: dump(
      site,
      page('1'),
      page('2', '', 'a\xffb\xc3(\xe2\x82 \x01\x1f \xef\xbf\xbe \xf0\x9f\x8c\xb3 \xed\xa0\x80'),
      page('3', '<redirect title="\xff\x02"/>'),
      page('9'),
    ),
    invalid: around(
      page(''),
      page('x'),
      page('2', '<ns>first</ns>'),
      page('3', '<revision><id>a</id></revision>'),
      page('4', '<revision><timestamp>2026</timestamp><id/></revision>'),
      page('5', '<revision><id>5</id><parentid>1.5</parentid><timestamp>2026</timestamp></revision>'),
      page('6', '<revision><id>6</id><timestamp>2026</timestamp><text bytes="many"/></revision>'),
      page('7', '<upload><size>large</size></upload>'),
      '  <page><id>71</id><revision><id>72</id></revision></page>\n',
      '  <page><id>73</id><revision><id>74</id></revision><title>Late title</title></page>\n',
      page('9007199254740993'),
    ),
    malformed: around(
      page('2', '', 'a < b'),
      page('3', '', 'a & b'),
      page('4', '<b>'),
      page('5', '<redirect title="<"/>'),
    ),
    nested: around(
      '  <group><page><title>Nested</title><id>2</id></page></group>\n',
      '  <page><title>Outer</title><id>3</id><page/></page>\n',
    ),
    trailing: `${around()}<!-- comment --><?pi?>\n`,
    'trailing-element': dump(page('1'), page('2'), '<logitem><id>1</id></logitem>\n'),
    'trailing-text': `${around()}more`,
    truncated: around(page('2')).slice(0, 300),
    'other-root': '<html><page><title>Page</title><id>1</id></page></html>',
    empty: '',
    'no-pages': '<mediawiki version="0.10"></mediawiki>',
  }
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text, 'latin1')]))
}

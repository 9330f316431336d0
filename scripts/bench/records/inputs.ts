// The documents of the benchmark, in any size: dumps of several kinds, and rows of attributes. They are kept in scripts/bench/data/.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Random } from '../grammar/inputs.ts'
import { makeInput as makeXmlInput } from '../xml/inputs.ts'
import { keepFile } from '../xml/kept-file.ts'

export type InputName = 'dump' | 'bzip2' | 'stubs' | 'history' | 'rows'

/** Bytes of generated records; then they repeat. */
const RECORDS_SIZE = 4 * 1024 * 1024

const DUMP_HEAD = `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
  <siteinfo>
    <sitename>Generated</sitename>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Talk</namespace>
    </namespaces>
  </siteinfo>
`

/** The path of a file of about `bytes` bytes of XML. `dump` is the one whose pages are repeated (default: the small one among the fixtures). */
export async function makeInput(name: InputName, bytes: number, dump: string | undefined): Promise<string> {
  if (name === 'dump') return (await makeXmlInput('dump', bytes, { dump })).path
  if (name === 'bzip2') return compress((await makeXmlInput('dump', bytes, { dump })).path)
  if (name === 'rows') return makeFile('records-rows-1', bytes, ['<posts>\n', makeRow, '</posts>\n'])
  const makePage = name === 'stubs' ? makeStub : makeHistory
  return makeFile(`records-${name}-2`, bytes, [DUMP_HEAD, makePage, '</mediawiki>\n'])
}

function compress(plain: string): string {
  const archive = `${plain}.bz2`
  if (!existsSync(archive))
    execFileSync('sh', ['-c', 'bzip2 -c "$1" > "$2.partial" && mv "$2.partial" "$2"', 'sh', plain, archive])
  return archive
}

type Generator = (random: Random, number: number) => string

/** `name` stands for what is made: it changes with it. */
function makeFile(name: string, bytes: number, [head, make, tail]: [string, Generator, string]): Promise<string> {
  return keepFile(`${name}-${bytes}.xml`, () => {
    const random = new Random()
    const records: Buffer[] = []
    let length = 0
    for (let number = 1; length < Math.min(bytes, RECORDS_SIZE); number++) {
      const record = Buffer.from(make(random, number))
      records.push(record)
      length += record.length
    }
    const block = Buffer.concat(records)
    const blocks = Array.from({ length: Math.max(1, Math.round(bytes / length)) }, () => block)
    return Buffer.concat([Buffer.from(head), ...blocks, Buffer.from(tail)])
  })
}

/** A row as the archives of Stack Exchange have it: attributes alone, one of them HTML with its marks escaped. */
function makeRow(random: Random, number: number): string {
  const paragraphs = Array.from({ length: 1 + random.below(4) }, () => makeParagraph(random)).join('')
  const isQuestion = random.below(3) === 0
  const question = `Title="${random.words(4, 12)}?" Tags="&lt;${random.words(1, 1)}&gt;&lt;${random.words(1, 1)}&gt;" AnswerCount="${random.below(9)}"`
  return `  <row Id="${number}" PostTypeId="${isQuestion ? 1 : 2}" ${isQuestion ? '' : `ParentId="${1 + random.below(number)}" `}CreationDate="${makeTime(random)}.${100 + random.below(900)}" Score="${random.below(400) - 20}" ViewCount="${random.below(70_000)}" Body="${paragraphs}" OwnerUserId="${random.below(90_000)}" LastActivityDate="${makeTime(random)}.000" ${isQuestion ? `${question} ` : ''}CommentCount="${random.below(12)}" ContentLicense="CC BY-SA 4.0" />\n`
}

function makeParagraph(random: Random): string {
  const code =
    random.below(3) === 0
      ? `&#xA;&#xA;&lt;pre&gt;&lt;code&gt;if (a &amp;&amp; b) ${random.words(2, 6)};&#xA;&lt;/code&gt;&lt;/pre&gt;`
      : ''
  return `&lt;p&gt;${random.words(10, 60)} &lt;a href=&quot;https://example.org/${random.below(1000)}&quot;&gt;${random.words(1, 3)}&lt;/a&gt;.&lt;/p&gt;${code}&#xA;`
}

/** A page with three revisions, the newest one last, and none of their texts. */
function makeStub(random: Random, number: number): string {
  return makePage(random, number, 3, (id) => `<text bytes="${random.below(50_000)}" id="${id}" />`)
}

/** A page with ten revisions of one to three kilobytes. */
function makeHistory(random: Random, number: number): string {
  return makePage(random, number, 10, () => {
    const text = `'''${random.words(1, 3)}''' &lt;ref&gt;${random.words(200, 500)}&lt;/ref&gt;\n[[${random.words(1, 2)}]]`
    return `<text bytes="${Buffer.byteLength(text)}" xml:space="preserve">${text}</text>`
  })
}

function makePage(random: Random, number: number, count: number, makeText: (id: number) => string): string {
  const revisions = Array.from({ length: count }, (_, i) => {
    const id = number * count + i
    return `    <revision>
      <id>${id}</id>
      <parentid>${id - 1}</parentid>
      <timestamp>${makeTime(random, 2002 + i)}Z</timestamp>
      <contributor>
        ${random.below(3) === 0 ? `<ip>192.0.2.${random.below(256)}</ip>` : `<username>${random.words(1, 2)}</username>\n        <id>${random.below(9000)}</id>`}
      </contributor>
${random.below(3) === 0 ? '      <minor />\n' : ''}      <comment>/* ${random.words(1, 3)} */ ${random.words(2, 8)} &amp; more</comment>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      ${makeText(id)}
      <sha1>${String(id).padStart(31, '0')}</sha1>
    </revision>
`
  })
  return `  <page>
    <title>${random.words(1, 3)} ${number}</title>
    <ns>${random.below(5) === 0 ? 1 : 0}</ns>
    <id>${number}</id>
${revisions.join('')}  </page>
`
}

function makeTime(random: Random, year = 2002 + random.below(24)): string {
  const digits = (value: number) => String(value).padStart(2, '0')
  const date = `${year}-${digits(1 + random.below(12))}-${digits(1 + random.below(28))}`
  return `${date}T${digits(random.below(24))}:${digits(random.below(60))}:${digits(random.below(60))}`
}

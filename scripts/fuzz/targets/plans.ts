// Plans, parts and manifests with edits. Whatever is edited, a folder of parts is either finished with the totals and the content of an
// uninterrupted run, or refused by an error for users. Dumps with any head: the parts of their ranges have the lines of one run. And dumps that
// change between two ranges: their parts are those of one version, or refused.

import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PartsError, UsageError } from '../../../source/cli/errors/errors.ts'
import { explain } from '../../../source/cli/errors/explain.ts'
import { PartFolder } from '../../../source/cli/plan/part-folder.ts'
import { formatPlan, makePlan, parsePlan } from '../../../source/cli/plan/plan.ts'
import { readRange } from '../../../source/cli/plan/range-job.ts'
import { InputCheck } from '../../../source/cli/plan/read-input.ts'
import type { RecordKind } from '../../../source/mediawiki/lines/added-fields.ts'
import { range } from '../../../test/support/extent.ts'
import type { Random } from '../../../test/support/random.ts'
import type { FuzzCase, Target } from '../target.ts'

const PAGES = 40
const RANGE_SIZE = 900

/** An edit: the number of the file, the place in it as a share of its length, and the kind of edit. */
interface Edit {
  readonly file: number
  readonly at: number
  readonly how: 'flip' | 'remove' | 'insert' | 'double line' | 'remove line' | 'swap lines' | 'number' | 'delete'
  readonly amount: number
}

const HOW: readonly Edit['how'][] = [
  'flip',
  'remove',
  'insert',
  'double line',
  'remove line',
  'swap lines',
  'number',
  'number',
  'delete',
]

let original = ''
let expected = ''

/** The folder of a finished plan; `work/` in it is edited. */
async function prepare(): Promise<string> {
  original = mkdtempSync(join(tmpdir(), 'xylem-fuzz-'))
  const page = (id: number) =>
    `<page><title>Page ${id}</title><ns>${id % 3}</ns><id>${id}</id><revision><id>${id + 100}</id><text>${'text '.repeat((id * 7) % 30)}</text></revision></page>\n`
  const dump = join(original, 'dump.xml')
  writeFileSync(dump, `<mediawiki>${Array.from({ length: PAGES }, (_, id) => page(id + 1)).join('')}</mediawiki>\n`)
  // The ids of ranges depend on it, and cases must be the same for the same seed.
  utimesSync(dump, 1_000_000, 1_000_000)
  const plan = await makePlan([dump], {
    question: { kind: 'pages', onError: 'stop' },
    rangeSize: RANGE_SIZE,
  })
  const parts = join(original, 'parts')
  const folder = new PartFolder(parts)
  await folder.open(plan)
  const { signal } = new AbortController()
  for (const range of plan.ranges) await folder.write(range, readRange(range, { jobs: 1, signal, tell: () => {} }))
  expected = JSON.stringify(await folder.finish(plan)) + readParts(parts)
  writeFileSync(join(original, 'plan.jsonl'), formatPlan(plan))
  return 'the same parts without edits'
}

/** Names and content of the parts. */
function readParts(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.startsWith('part-'))
  return names
    .sort()
    .map((name) => `${name}\n${readFileSync(join(folder, name), 'latin1')}`)
    .join('')
}

function makeEdit(random: Random): Edit {
  return { file: random.below(1000), at: random.below(1000) / 1000, how: random.pick(HOW), amount: random.below(1000) }
}

function applyEdit(root: string, { file, at, how, amount }: Edit): void {
  const manifests = readdirSync(join(root, 'parts', '_manifest')).map((name) => join('parts', '_manifest', name))
  const parts = readdirSync(join(root, 'parts'))
    .filter((name) => name.startsWith('part-'))
    .map((name) => join('parts', name))
  // The plan is edited as often as all manifests, and as all parts.
  const group = [['plan.jsonl'], manifests, parts][file % 3] as string[]
  const path = group[Math.floor(file / 3) % group.length]
  if (path === undefined) return
  const full = join(root, path)
  if (!existsSync(full)) return
  if (how === 'delete') rmSync(full)
  else writeFileSync(full, edit(readFileSync(full, 'latin1'), at, how, amount), 'latin1')
}

function edit(text: string, at: number, how: Edit['how'], amount: number): string {
  const place = Math.floor(at * text.length)
  const lines = text.split('\n')
  const line = Math.floor(at * lines.length)
  const other = amount % lines.length
  switch (how) {
    case 'flip':
      return (
        text.slice(0, place) +
        String.fromCharCode((text.charCodeAt(place) || 0) ^ (1 << (amount % 8))) +
        text.slice(place + 1)
      )
    case 'remove':
      return text.slice(0, place) + text.slice(place + 1 + (amount % 40))
    case 'insert':
      return text.slice(0, place) + text.slice(0, amount % 60) + text.slice(place)
    case 'double line':
      return lines.toSpliced(line, 0, lines[line] ?? '').join('\n')
    case 'remove line':
      return lines.toSpliced(line, 1).join('\n')
    case 'swap lines':
      return lines
        .with(line % lines.length, lines[other] ?? '')
        .with(other, lines[line] ?? '')
        .join('\n')
    default: {
      const numbers = [...text.matchAll(/\d+/g)]
      const number = numbers[Math.floor(at * numbers.length)]
      return number ? text.slice(0, number.index) + String(amount) + text.slice(number.index + number[0].length) : text
    }
  }
}

async function judge(fuzzCase: FuzzCase): Promise<string | undefined> {
  const { rangeSize, before } = fuzzCase.settings
  if (before !== undefined) return await judgeChanges(fuzzCase)
  return rangeSize === undefined ? await judgeEdits(fuzzCase) : await judgeRanges(fuzzCase)
}

/** A dump whose pages need what its beginning declares. */
function makeDump(random: Random): FuzzCase {
  const namespaces = random.pick(['', ' xmlns="urn:wiki"', ' xmlns="urn:wiki" xml:space="preserve"'])
  const prefix = random.pick(['', 'x', 'é'])
  const defaults = random.pick(['', '<!ATTLIST comment deleted CDATA "deleted">', '<!ATTLIST text kind CDATA "usual">'])
  const entity = random.pick(['', '<!ENTITY e "é &amp; <!-- -->">', '<!ENTITY % p "<!ENTITY e \'e\'>"> %p;'])
  const doctype = defaults || entity ? `<!DOCTYPE mediawiki [${defaults}${entity}]>\n` : ''
  const own = prefix && `<${prefix}:c>own</${prefix}:c>`
  const head = `${doctype}<mediawiki${namespaces}${prefix && ` xmlns:${prefix}="urn:x"`}>\n`
  const pages = random.many(1, 30, () => {
    const id = random.below(1000)
    const content = `${'word '.repeat(random.below(40))}${entity && random.pick(['', '&e;'])}${random.pick(['', '', '', '', '', '', '', '<br/>'])}`
    return `<page><title>T</title><ns>0</ns><id>${id}</id>${random.pick(['', own])}<revision><id>${id}</id><comment>c</comment><text>${content}</text></revision></page>\n`
  })
  const text = `${head}${random.pick(['', '<siteinfo/>'])}${pages.join('')}</mediawiki>`
  const [kind, fields] = random.pick([
    ['pages', 'id,revision.comment,t={urn:wiki}title,own[]={urn:x}c,kind=revision/text/@kind,revision.text'],
    ['revisions', 'page.id,comment,kind=text/@kind,text'],
  ]) as [string, string]
  const settings = { rangeSize: 60 + random.below(2000), fields: random.pick(['', fields]), kind }
  return { parts: [new TextEncoder().encode(text)], settings }
}

/** Compares the parts of a dump's ranges with its only part. */
async function judgeRanges({ parts: [bytes], settings }: FuzzCase): Promise<string | undefined> {
  const root = mkdtempSync(join(tmpdir(), 'xylem-fuzz-'))
  try {
    const dump = join(root, 'dump.xml')
    writeFileSync(dump, bytes as Uint8Array)
    const [whole, ranges] = [
      await linesOf(dump, settings, 1e9),
      await linesOf(dump, settings, Number(settings.rangeSize)),
    ]
    return ranges === whole
      ? undefined
      : `other lines in ranges: ${ranges.slice(0, 300)} instead of ${whole.slice(0, 300)}`
  } finally {
    rmSync(root, { recursive: true })
  }
}

/** The lines of all ranges, and the kind of the error that ends them. */
async function linesOf(dump: string, { kind, fields }: FuzzCase['settings'], rangeSize: number): Promise<string> {
  const chosen = fields === '' ? {} : { fields: String(fields).split(',') }
  const records = { onError: 'stop', ...chosen } as const
  const { signal } = new AbortController()
  let lines = ''
  try {
    const { ranges } = await makePlan([dump], { question: { ...records, kind: kind as RecordKind }, rangeSize })
    for (const range of ranges)
      for await (const piece of readRange(range, { jobs: 1, signal, tell: () => {} })) lines += decoder.decode(piece)
    return lines
  } catch (error) {
    const explanation = explain(error)
    if (!explanation) throw error
    return `${lines}exit code ${explanation.code}`
  }
}

/** Two versions of a dump, of the same size. The second one takes the place of the first before a range is read. */
function makeChange(random: Random): FuzzCase {
  const page = (id: number) =>
    `<page><title>T</title><ns>0</ns><id>${id}</id><revision><id>${id}</id><text>${'word '.repeat(random.below(9))}</text></revision></page>\n`
  // Mostly larger than the two samples of a fingerprint.
  const first = `<mediawiki>${range(1, random.pick([3, 30, 1500]))
    .map(page)
    .join('')}</mediawiki>`
  const second = random.pick([true, false])
    ? first
    : first.replaceAll(/word/g, (word) => (random.below(50) === 0 ? 'work' : word))
  const parts = [first, second].map((text) => new TextEncoder().encode(text))
  const how = random.pick(['write', 'replace', 'touch'])
  const settings = { before: random.below(5), how, verify: random.below(2), rangeSize: 400 + random.below(40_000) }
  return { parts, settings }
}

/** Compares the parts that are accepted with those of each version. */
async function judgeChanges({ parts: [first, second], settings }: FuzzCase): Promise<string | undefined> {
  const { before, how, verify, rangeSize } = settings
  const root = mkdtempSync(join(tmpdir(), 'xylem-fuzz-'))
  const [dump, folder] = [join(root, 'dump.xml'), join(root, 'parts')]
  const lines = { kind: 'pages', fields: '' }
  try {
    const versions: string[] = []
    for (const bytes of [second, first]) {
      writeFileSync(dump, bytes ?? '')
      versions.push(await linesOf(dump, lines, 1e9))
    }
    const question = { kind: 'pages', onError: 'stop' } as const
    const plan = await makePlan([dump], { question, rangeSize: Number(rangeSize) })
    const written = new PartFolder(folder)
    await written.open(plan)
    const options = { jobs: 1, signal: new AbortController().signal, tell: () => {} }
    for (const planned of plan.ranges) {
      if (planned.index === Number(before)) change(dump, second ?? new Uint8Array(), String(how))
      await written.write(planned, readRange(planned, options))
    }
    await written.finish(plan, { check: new InputCheck(verify === 1) })
    const text = readParts(folder).replaceAll(/^part-.*\n/gm, '')
    return versions.includes(text) ? undefined : `a mixture of two versions was accepted: ${text.slice(0, 300)}`
  } catch (error) {
    const isSame = how === 'touch' || String(first) === String(second)
    if (explain(error) === undefined) throw error
    return isSame && verify === 1 ? `refused although it is the same: ${(error as Error).message}` : undefined
  } finally {
    rmSync(root, { recursive: true })
  }
}

function change(path: string, content: Uint8Array, how: string): void {
  if (how === 'touch') utimesSync(path, 1, 1)
  else writeFileSync(how === 'write' ? path : `${path}.new`, content)
  if (how === 'replace') renameSync(`${path}.new`, path)
}

const decoder = new TextDecoder()

async function judgeEdits({ parts: [bytes] }: FuzzCase): Promise<string | undefined> {
  const root = mkdtempSync(join(tmpdir(), 'xylem-fuzz-'))
  try {
    for (const name of ['plan.jsonl', 'parts']) cpSync(join(original, name), join(root, name), { recursive: true })
    for (const line of new TextDecoder().decode(bytes).split('\n')) {
      const change = parseEdit(line)
      if (change) applyEdit(root, change)
    }
    return await finish(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

async function finish(root: string): Promise<string | undefined> {
  const parts = join(root, 'parts')
  try {
    const plan = parsePlan(readFileSync(join(root, 'plan.jsonl'), 'utf8'))
    const outcome = JSON.stringify(await new PartFolder(parts).finish(plan)) + readParts(parts)
    return outcome === expected ? undefined : 'finished although it was edited: other totals or other parts'
  } catch (error) {
    if (error instanceof UsageError || error instanceof PartsError || (error as { code?: string }).code === 'ENOENT')
      return undefined
    const explanation = explain(error)
    return `an error that is not for users: ${explanation?.message ?? String((error as Error).stack)}`
  }
}

/** An edit from a line of JSON; undefined for a line that a reduction has cut. */
function parseEdit(line: string): Edit | undefined {
  try {
    const value = JSON.parse(line) as Edit
    return typeof value.file === 'number' && HOW.includes(value.how) ? value : undefined
  } catch {
    return undefined
  }
}

export const plans: Target = {
  name: 'plans',
  open: prepare,
  make(random) {
    if (random.below(4) === 0) return makeChange(random)
    if (random.below(2) === 0) return makeDump(random)
    const edits = random.many(1, 3, () => JSON.stringify(makeEdit(random)))
    return { parts: [new TextEncoder().encode(edits.join('\n'))], settings: {} }
  },
  judge,
  close: async () => rmSync(original, { recursive: true }),
}

// JSON of pages and revisions from what was captured of them, without making objects. What is not as it usually is, is left to those who make
// objects (page.ts, revision.ts): what they make is what stands in lines.

import { JsonBytes } from '../xml/output/json-bytes.ts'
import type { ByteRange, ObjectWriter } from '../xml/output/objects.ts'
import type { FieldPlan, RecordPlan } from '../xml/projection/plan.ts'
import { type Contributor, makeContributor } from './contributor.ts'
import type { WrittenCounts } from './line-output.ts'
import type { PageFacts } from './page.ts'
import type { PageRevisionTraits, PageTraits, RevisionTraits } from './page-lines.ts'

/** Fields of a revision that are written, in their order; and what they are. */
const REVISION_FIELDS = [
  ['id', 'integer'],
  ['parentid', 'integer'],
  ['timestamp', 'text'],
  ['contributor', 'contributor'],
  ['minor', 'present'],
  ['comment', 'text'],
  ['origin', 'integer'],
  ['model', 'text'],
  ['format', 'text'],
  ['bytes', 'integer'],
  ['sha1', 'text'],
  ['location', 'text'],
  ['textid', 'integer'],
  ['text', 'text'],
] as const
/** Fields of a page before its revision. */
const PAGE_FIELDS = [
  ['id', 'integer'],
  ['ns', 'integer'],
  ['title', 'text'],
  ['redirect', 'text'],
  ['restrictions', 'text'],
] as const
/** Fields that most pages and revisions do not have. */
const UNUSUAL = ['other', 'uploads', 'discussion', 'thread', 'slots']

/** Digits of a number that JavaScript writes as it stands. */
const MOST_DIGITS = 15
const MINUS = 0x2d
const ZERO = 0x30

/** A field that is written, with its key after a comma. */
interface Column {
  readonly kind: 'integer' | 'text' | 'present' | 'contributor'
  readonly key: Uint8Array
  readonly field: FieldPlan
  /** Whether it belongs to the text of a revision. */
  readonly isOfContent: boolean
}

export class PageJson {
  readonly #writer: ObjectWriter<object>
  readonly #page: readonly Column[]
  readonly #revision: readonly Column[]
  readonly #contributor: { readonly [name: string]: FieldPlan }
  readonly #content: FieldPlan | undefined
  readonly #revisionField: FieldPlan | undefined
  readonly #unusualOfPage: readonly FieldPlan[]
  readonly #unusualOfRevision: readonly FieldPlan[]
  /** What was written since it was taken. */
  readonly output = new JsonBytes()
  /** What was written last counts as. */
  readonly counts: WrittenCounts = {
    isRedirect: false,
    hasRevision: false,
    isMissingText: false,
    isSuppressed: false,
  }
  /** Of what is being written: whether it has something rare, */
  #isUnusual = false
  /** the last number that is an id, the size of the text, */
  #id = 0
  #size = 0
  /** whether there is a text, and whether it is hidden who made it. */
  #hasText = false
  #isHidden = false

  /** `plan` is that of pages, or of revisions. */
  constructor(writer: ObjectWriter<object>, plan: RecordPlan) {
    this.#writer = writer
    this.#revisionField = plan.fields.find(({ name }) => name === 'revision')
    const page = this.#revisionField ? plan : undefined
    const revision = this.#revisionField?.record ?? plan
    this.#page = page ? PAGE_FIELDS.map(([name, kind]) => columnOf(page, name, kind)) : []
    this.#content = fieldOf(revision, 'content')
    this.#revision = REVISION_FIELDS.map(([name, kind]) => columnOf(revision, name, kind))
    const contributor = fieldOf(revision, 'contributor').record as RecordPlan
    this.#contributor = Object.fromEntries(contributor.fields.map((field) => [field.name, field]))
    const unusualOf = (fields: readonly FieldPlan[]) => fields.filter(({ name }) => UNUSUAL.includes(name))
    this.#unusualOfPage = unusualOf(page?.fields ?? [])
    this.#unusualOfRevision = unusualOf(revision.fields)
  }

  /** Writes a page, and gives its id; undefined, and nothing is written, if it is not as pages usually are. */
  putPage(page: number): number | undefined {
    const { counts, output } = this
    const before = output.length
    this.#begin(this.#unusualOfPage, page)
    output.putByte(OPEN_BRACE)
    this.#putColumns(this.#page, page, 0)
    const id = this.#id
    counts.isRedirect = this.#has(this.#page, page, 'redirect')
    this.#isUnusual ||= !this.#has(this.#page, page, 'id') || !this.#has(this.#page, page, 'title')
    const revision = this.#entryOf(page, this.#revisionField as FieldPlan)
    counts.hasRevision = revision !== 0
    if (revision !== 0) {
      output.put(REVISION_KEY)
      this.#putRevision(revision)
      output.putByte(BRACE)
    }
    output.putByte(BRACE)
    return this.#end(before) ? id : undefined
  }

  /** Writes the fields of a revision, after others; false, and nothing, if it is not as revisions usually are. */
  putRevision(revision: number): boolean {
    const before = this.output.length
    this.#isUnusual = false
    this.counts.hasRevision = true
    this.output.putByte(COMMA)
    this.#putRevision(revision)
    return this.#end(before)
  }

  /** What filters look at of a page that was written. */
  traitsOf(page: number): PageTraits {
    return new WrittenPage(this, page)
  }

  /** The same of a revision, of a page. */
  traitsOfRevision(revision: number, page: PageFacts): PageRevisionTraits {
    return new WrittenPageRevision(this, revision, page)
  }

  /** The revision of a page; 0 for none. */
  revisionOf(page: number): number {
    return this.#entryOf(page, this.#revisionField as FieldPlan)
  }

  /** A field of a page or a revision that was written; undefined if it has none. */
  textOf(of: 'page' | 'revision', record: number, name: string): string | undefined {
    const { field } = columnNamed(of === 'page' ? this.#page : this.#revision, name)
    return this.#entryOf(record, field) === 0 ? undefined : (this.#writer.valueOf(record, field) as string)
  }

  /** Whether it is a minor edit. */
  isMinor(revision: number): boolean {
    return this.#has(this.#revision, revision, 'minor')
  }

  contributorOf(revision: number): Contributor | undefined {
    const { field } = columnNamed(this.#revision, 'contributor')
    const entry = this.#entryOf(revision, field)
    if (entry === 0) return undefined
    const values = Object.values(this.#contributor).map((one) => {
      return [one.name, this.#entryOf(entry, one) === 0 ? undefined : this.#writer.valueOf(entry, one)]
    })
    return makeContributor(Object.fromEntries(values), { start: 0 })
  }

  #putRevision(revision: number): void {
    const { counts } = this
    this.#isUnusual ||= this.#unusualOfRevision.some((field) => this.#entryOf(revision, field) !== 0)
    const content = this.#entryOf(revision, this.#content as FieldPlan)
    this.#putColumns(this.#revision, revision, content)
    this.#isUnusual ||= !this.#has(this.#revision, revision, 'id')
    counts.isMissingText = this.#size > 0 && !this.#hasText
    counts.isSuppressed = this.#size < 0 || this.#isHidden
  }

  #begin(unusual: readonly FieldPlan[], record: number): void {
    const { counts } = this
    counts.isRedirect = counts.hasRevision = counts.isMissingText = counts.isSuppressed = false
    this.#isUnusual = unusual.some((field) => this.#entryOf(record, field) !== 0)
  }

  #end(before: number): boolean {
    if (this.#isUnusual) this.output.cut(before)
    return !this.#isUnusual
  }

  /** `content` is what was captured of the text element. The first field has no comma before it. */
  #putColumns(columns: readonly Column[], record: number, content: number): void {
    this.#size = 0
    this.#hasText = this.#isHidden = false
    let isFirst = true
    for (let i = 0; i < columns.length; i++) {
      const { kind, key, field, isOfContent } = columns[i] as Column
      const owner = isOfContent ? content : record
      const entry = owner === 0 ? 0 : this.#entryOf(owner, field)
      if (entry === 0) continue
      const before = this.output.length
      this.output.put(key, isFirst ? 1 : 0)
      if (kind === 'text') this.#writer.putJson(this.output, field, entry)
      else if (kind === 'present') this.output.put(TRUE)
      else if (!(kind === 'integer' ? this.#putInteger(entry, field.name) : this.#putContributor(entry))) {
        this.output.cut(before)
        continue
      }
      if (field.name === 'text') this.#hasText = true
      isFirst = false
    }
  }

  #has(columns: readonly Column[], record: number, name: string): boolean {
    return this.#entryOf(record, columnNamed(columns, name).field) !== 0
  }

  /** Writes a number as it stands. Returns false if there is none. */
  #putInteger(entry: number, name: string): boolean {
    const range = this.#writer.rangeOf(entry)
    const number = range ? canonicalNumber(range) : Number.NaN
    if (!range || Number.isNaN(number)) {
      this.#isUnusual = true
      return false
    }
    this.output.put(range.bytes, range.from, range.end)
    if (name === 'bytes') this.#size = number
    else if (name === 'id') this.#id = number
    return true
  }

  /** Writes who did it. Returns false if that is not said. */
  #putContributor(record: number): boolean {
    const { deleted, ip, username, id } = this.#contributor as Record<'deleted' | 'ip' | 'username' | 'id', FieldPlan>
    const { output } = this
    if (this.#entryOf(record, deleted) !== 0) {
      this.#isHidden = true
      output.put(DELETED)
      return true
    }
    const address = this.#entryOf(record, ip)
    const name = address === 0 ? this.#entryOf(record, username) : 0
    if (address === 0 && name === 0) return false
    output.put(address === 0 ? USERNAME_KEY : IP_KEY)
    this.#writer.putJson(output, address === 0 ? username : ip, address === 0 ? name : address)
    const number = name === 0 ? 0 : this.#entryOf(record, id)
    if (number !== 0) {
      output.put(ID_KEY)
      this.#putInteger(number, 'id')
    }
    output.putByte(BRACE)
    return true
  }

  #entryOf(record: number, field: FieldPlan): number {
    return this.#writer.entryOf(record, field)
  }
}

/** A page that was written. What nobody looks at is not decoded. */
class WrittenPage implements PageTraits {
  readonly #json: PageJson
  readonly #page: number

  constructor(json: PageJson, page: number) {
    this.#json = json
    this.#page = page
  }

  get id(): number {
    return Number(this.#json.textOf('page', this.#page, 'id'))
  }

  get ns(): number | undefined {
    const text = this.#json.textOf('page', this.#page, 'ns')
    return text === undefined ? undefined : Number(text)
  }

  get title(): string {
    return this.#json.textOf('page', this.#page, 'title') as string
  }

  get redirect(): string | undefined {
    return this.#json.textOf('page', this.#page, 'redirect')
  }

  get revision(): RevisionTraits | undefined {
    const revision = this.#json.revisionOf(this.#page)
    return revision === 0 ? undefined : new WrittenRevision(this.#json, revision)
  }
}

/** The same of a revision. */
class WrittenRevision implements RevisionTraits {
  readonly #json: PageJson
  readonly #revision: number

  constructor(json: PageJson, revision: number) {
    this.#json = json
    this.#revision = revision
  }

  get timestamp(): string | undefined {
    return this.#json.textOf('revision', this.#revision, 'timestamp')
  }

  get model(): string | undefined {
    return this.#json.textOf('revision', this.#revision, 'model')
  }

  get minor(): true | undefined {
    return this.#json.isMinor(this.#revision) ? true : undefined
  }

  get contributor(): Contributor | undefined {
    return this.#json.contributorOf(this.#revision)
  }
}

/** The same of a revision with its page. */
class WrittenPageRevision extends WrittenRevision implements PageRevisionTraits {
  readonly page: PageFacts

  constructor(json: PageJson, revision: number, page: PageFacts) {
    super(json, revision)
    this.page = page
  }
}

const encoder = new TextEncoder()
const COMMA = 0x2c
const OPEN_BRACE = 0x7b
const BRACE = 0x7d
const TRUE = encoder.encode('true')
const REVISION_KEY = encoder.encode(',"revision":{')
const DELETED = encoder.encode('{"deleted":true}')
const IP_KEY = encoder.encode('{"ip":')
const USERNAME_KEY = encoder.encode('{"username":')
const ID_KEY = encoder.encode(',"id":')

/** Fields that are read of the element `text`, and their names there. */
const OF_CONTENT = ['bytes', 'location', 'textid']

function columnOf(plan: RecordPlan, name: string, kind: Column['kind']): Column {
  const isOfContent = OF_CONTENT.includes(name)
  const field = fieldOf(isOfContent ? (fieldOf(plan, 'content').record as RecordPlan) : plan, name)
  return { kind, key: encoder.encode(`,${JSON.stringify(name)}:`), field, isOfContent }
}

function columnNamed(columns: readonly Column[], name: string): Column {
  return columns.find(({ field }) => field.name === name) as Column
}

function fieldOf({ fields }: RecordPlan, name: string): FieldPlan {
  return fields.find((field) => field.name === name) as FieldPlan
}

/** The number of digits that JavaScript would write in the same way; NaN for others. */
function canonicalNumber({ bytes, from, end }: ByteRange): number {
  const first = bytes[from] === MINUS ? from + 1 : from
  const length = end - first
  if (length < 1 || length > MOST_DIGITS || (bytes[first] === ZERO && (length > 1 || first > from))) return Number.NaN
  let number = 0
  for (let i = first; i < end; i++) {
    const digit = (bytes[i] as number) - ZERO
    if (digit < 0 || digit > 9) return Number.NaN
    number = number * 10 + digit
  }
  return first > from ? -number : number
}

// One input that is looked into: it is read in the background, while the page asks for what it shows.

import { BlockList, type DumpReader, type SiteInfo } from 'xylem/mediawiki'
import { readXml } from 'xylem/xml/streaming'
import type { DocumentSource, PageFilter, PickedShape, ToldError } from '../protocol.ts'
import { canCompile } from './can-compile.ts'
import { RecordReading } from './document/record-reading.ts'
import { SkippedReferences } from './document/skipped-references.ts'
import { Structure } from './document/structure.ts'
import { type Answer, Downloads } from './downloads.ts'
import { EVERYTHING, FilteredPages } from './dump/filtered-pages.ts'
import { PageTable } from './dump/page-table.ts'
import { openArticle, readPages, whyNoPages } from './dump/wiki-reading.ts'
import { formsOfTitle } from './dump/wiki-title.ts'
import { Gate } from './gate.ts'
import { Input, type InputFacts, lookAt, type OpenInput, type Threads } from './input.ts'
import { Stopwatch } from './stopwatch.ts'
import { tellError } from './told-error.ts'
import { type DownloadRequest, writeFile } from './written-file.ts'

/** What is kept at most: pages of a dump (some 250 MB), paths of a structure, and records in the table. */
const MOST_PAGES = 5_000_000
const MOST_PATHS = 100_000
const MOST_ROWS = 100_000
/** Milliseconds between two reports. */
const REPORT_EVERY = 200
/** In how many pieces of UTF-16 units texts come that examples are taken from. */
const TEXT_PIECE = 4096

export class Session {
  readonly #input: Input
  readonly #name: string
  readonly #answer: Answer
  readonly #abort = new AbortController()
  readonly #gate = new Gate()
  readonly #watch = new Stopwatch()
  readonly #table = new PageTable(MOST_PAGES)
  readonly #structure = new Structure(MOST_PATHS)
  readonly #skipped = new SkippedReferences()
  readonly #namespaces = new Map<number, string>()
  #site: SiteInfo | undefined
  readonly #downloads: Downloads
  #facts: InputFacts | undefined
  #open: OpenInput | undefined
  #reader: DumpReader | undefined
  #filtered = new FilteredPages(this.#table, EVERYTHING)
  #records: RecordReading | undefined
  #article = new AbortController()
  #reported = 0
  /** Bytes of input that were in memory at most. */
  #mostRetained = 0
  #due: ReturnType<typeof setTimeout> | undefined
  #isProposed = false
  /** The node that the visitor has picked last. */
  #picked: number | undefined
  #isOver = false
  /** Whether all of the input was read. */
  #isComplete = false

  /** `name`: what the source is called in messages. */
  constructor(source: DocumentSource, name: string, threads: Threads, answer: Answer) {
    this.#input = new Input(source, threads)
    this.#name = name
    this.#answer = answer
    this.#downloads = new Downloads(answer, (error) => this.#tell(error))
  }

  /** Reads to the end, or until it is cancelled. Never rejects: errors are told. */
  async run(): Promise<void> {
    this.#answer({ type: 'state', state: 'reading' })
    const blocks = new BlockList()
    try {
      const open = this.#input.open(this.#abort.signal, (bit, offset) => blocks.add(bit, offset))
      this.#open = open
      const facts = await lookAt(open)
      this.#facts = facts
      this.#noteRetained()
      this.#answer({
        type: 'opened',
        kind: facts.kind,
        other: facts.other?.what,
        compression: facts.compression,
        whyNoPages: facts.kind === 'mediawiki' ? whyNoPages(facts) : undefined,
        hasWebAssembly: canCompile(),
      })
      if (facts.kind === 'mediawiki') await this.#readDump(open, blocks)
      else await this.#readStructure(open)
      this.#end('done')
    } catch (error) {
      if (this.#abort.signal.aborted) return this.#end('cancelled')
      this.#answer({ type: 'error', error: this.#tell(error) })
      this.#end('failed')
    }
  }

  pause(): void {
    // It may have ended while the visitor pressed the button.
    if (this.#isOver) return
    this.#gate.close()
    this.#watch.pause()
    this.#report()
    this.#answer({ type: 'state', state: 'paused' })
  }

  resume(): void {
    if (this.#isOver) return
    this.#gate.open()
    this.#watch.resume()
    this.#answer({ type: 'state', state: 'reading' })
  }

  /** Ends reading. What was found stays. */
  cancel(): void {
    this.#abort.abort()
    this.#gate.open()
  }

  /** Ends everything. */
  close(): void {
    this.cancel()
    this.#article.abort()
    this.#downloads.endAll()
    this.endRecords()
  }

  async filter(filter: PageFilter): Promise<void> {
    const filtered = new FilteredPages(this.#table, filter)
    this.#filtered = filtered
    // A turn for each stretch: what the visitor types comes between.
    while (!filtered.proceed()) {
      if (!this.#isOver) this.#reportIfDue()
      else if (performance.now() - this.#reported > REPORT_EVERY) {
        // How the run ended stays what it was: only the list changes.
        this.#reported = performance.now()
        this.#reportPages(false)
      }
      await new Promise((resolve) => setTimeout(resolve))
      if (this.#filtered !== filtered) return
    }
    this.#reportPages(true)
  }

  rows(ask: number, from: number, to: number): void {
    const rows = []
    for (let place = from; place < to; place++) {
      const index = this.#filtered.at(place)
      if (index !== undefined) rows.push(this.#table.rowOf(index))
    }
    this.#answer({ type: 'rows', ask, rows })
  }

  /** Opens a page; the one that was asked for before is given up. */
  async article(ask: number, index: number): Promise<void> {
    if (!this.#facts) return
    this.#article.abort()
    this.#article = new AbortController()
    const { signal } = this.#article
    try {
      const article = await openArticle(this.#input, this.#facts, this.#table, index, this.#namespaces, signal)
      this.#answer({ type: 'article', ask, article, error: undefined })
    } catch (error) {
      if (!signal.aborted) this.#answer({ type: 'article', ask, article: undefined, error: this.#tell(error) })
    }
  }

  structureRows(nodes: readonly number[]): void {
    const rows = nodes.flatMap((node) => this.#structure.rowOf(node) ?? [])
    this.#answer({ type: 'structureRows', rows })
  }

  /** Gives what records of an element may have. */
  pick(ask: number, node: number): void {
    this.#picked = node
    const record = this.#structure.pick(node)
    if (record) this.#answer({ type: 'picked', ask, record })
  }

  /** Looks for the page that a link leads to, among those that were read. */
  findPage(ask: number, target: string): void {
    const { titles, isFull } = this.#table
    const [title = target, ...others] = formsOfTitle(target, this.#site)
    const index = [title, ...others].map((form) => titles.find(form)).find((found) => found !== undefined)
    const place = index === undefined ? undefined : this.#filtered.placeOf(index)
    const extent = isFull || (this.#isOver && !this.#isComplete) ? 'part' : this.#isOver ? 'all' : 'so far'
    this.#answer({ type: 'foundPage', ask, title, index, place, extent })
  }

  /** Reads the input again for the records of a shape: all of them, or so many. */
  records(shape: PickedShape, most: number | undefined): Promise<void> {
    this.endRecords()
    const reading = new RecordReading(most ?? MOST_ROWS)
    this.#records = reading
    return reading.run({
      shape,
      most,
      open: (signal) => this.#input.open(signal),
      // The first ones come also while reading pauses.
      gate: most === undefined ? this.#gate : new Gate(),
      tell: (error) => this.#tell(error),
      onRows: ({ kept, all, isFull }, isDone, error) => {
        // Another shape may have been asked for meanwhile.
        if (this.#records === reading) this.#answer({ type: 'recordsListed', kept, all, isFull, isDone, error })
      },
    })
  }

  /** Ends reading records. Those that were read stay. */
  endRecords(): void {
    this.#records?.end()
  }

  recordRows(ask: number, from: number, to: number): void {
    this.#answer({ type: 'recordRows', ask, rows: this.#records?.slice(from, to) ?? [] })
  }

  download({ download, ...request }: DownloadRequest): void {
    this.#downloads.begin(download, (signal) => writeFile(this.#input.open(signal), request))
  }

  nextPiece(download: number): void {
    this.#downloads.next(download)
  }

  endDownload(download: number): void {
    this.#downloads.end(download)
  }

  async #readDump(open: OpenInput, blocks: BlockList): Promise<void> {
    await readPages(open, blocks, this.#table, this.#gate, {
      onReader: (reader) => {
        this.#reader = reader
      },
      onSite: (site) => {
        const { siteName, base, namespaces } = site
        this.#site = site
        for (const { key, name } of namespaces) this.#namespaces.set(key, name)
        this.#answer({ type: 'site', name: siteName, base })
      },
      onPages: () => {
        this.#filtered.proceed()
        this.#reportIfDue()
      },
    })
  }

  async #readStructure({ cursor }: OpenInput): Promise<void> {
    const reader = readXml(cursor, { onSkippedEntity: this.#skipped.add })
    try {
      for await (const events of reader.events({ maxText: TEXT_PIECE }).batches()) {
        for (const event of events) this.#structure.add(event)
        this.#reportIfDue()
        await this.#gate.passed()
      }
    } finally {
      cursor.release()
    }
  }

  #end(state: 'done' | 'cancelled' | 'failed'): void {
    this.#isOver = true
    this.#isComplete = state === 'done'
    this.#gate.open()
    this.#open?.cursor.release()
    this.#watch.pause()
    try {
      this.#report()
    } finally {
      this.#answer({ type: 'state', state })
    }
  }

  get #retained(): number {
    return (this.#open?.cache.retained ?? 0) + (this.#reader?.retained ?? 0)
  }

  #noteRetained(): void {
    this.#mostRetained = Math.max(this.#mostRetained, this.#retained)
  }

  /** Reports now, or when it is due: what comes next may come much later. */
  #reportIfDue(): void {
    this.#noteRetained()
    const rest = this.#reported + REPORT_EVERY - performance.now()
    if (rest <= 0) this.#report()
    else
      this.#due ??= setTimeout(() => {
        if (!this.#isOver) this.#report()
      }, rest)
  }

  #report(): void {
    this.#reported = performance.now()
    clearTimeout(this.#due)
    this.#due = undefined
    if (!this.#open) return
    const { cache } = this.#open
    const isDump = this.#facts?.kind === 'mediawiki'
    this.#answer({
      type: 'progress',
      ...cache.progress,
      decoded: cache.start + cache.retained,
      retained: this.#retained,
      mostRetained: this.#mostRetained,
      seconds: this.#watch.seconds,
      items: isDump ? this.#table.seen : this.#structure.elements,
    })
    if (isDump) this.#reportPages(this.#filtered.isComplete)
    else {
      const { count, names } = this.#skipped
      if (count > 0) this.#answer({ type: 'skipped', count, ...names })
      const added = this.#structure.takeAdded()
      this.#answer({ type: 'structure', added, isCut: this.#structure.isCut }, [added.buffer])
      if (!this.#isProposed || this.#isOver) this.#propose()
    }
  }

  /** Proposes the record of the document as soon as there is one, and again what is the record then when everything is known of it. */
  #propose(): void {
    const node = this.#picked ?? this.#structure.likelyRecord
    const record = node === undefined ? undefined : this.#structure.pick(node)
    if (!record) return
    this.#isProposed = true
    this.#answer({ type: 'proposed', record })
  }

  #reportPages(isFiltered: boolean): void {
    this.#answer({
      type: 'listed',
      shown: this.#filtered.length,
      all: this.#table.seen,
      kept: this.#table.length,
      isFull: this.#table.isFull,
      isFiltered,
      namespaces: this.#table.countNamespaces(this.#namespaces),
    })
  }

  #tell(error: unknown): ToldError {
    return tellError(error, this.#name, this.#facts?.other)
  }
}

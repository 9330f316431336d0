// Pages of usual shape to lines of JSON, by the pages kernel. It has no twin: where it cannot run, and of other pages, pages are made as
// objects, and what it is tested against is those.

import { pagesModule } from './generated/pages.ts'
import { compileKernel } from './load.ts'

/** Why a scan has ended. */
export const ScanEnd = {
  /** The available bytes end in a page, or after one. */
  MORE: 0,
  /** What follows is not a usual page. */
  UNUSUAL: 1,
  /** The page that follows, at the end of what was read, begins at the limit or after it. */
  OVER: 2,
  /** There is no room for another line: what is there should be taken. */
  FULL: 3,
} as const

/** What a scan has shown. */
export interface PageScan {
  /** A `ScanEnd`. */
  readonly reason: number
  /** Bytes of input that were read. */
  readonly consumed: number
  /** The lines, in memory of the scanner: they hold until the next scan. */
  readonly lines: Uint8Array
  readonly pages: number
  readonly redirects: number
  readonly revisions: number
  readonly missingTexts: number
  readonly suppressed: number
  /** Ids; 0 where there is no page. */
  readonly firstPage: number
  readonly lastPage: number
  /** Line feeds in what was read, and UTF-16 units after the last one, or all where there is none. */
  readonly lineFeeds: number
  readonly unitsInLine: number
}

/** Which pages are written. */
export interface PageScanFilter {
  /** Pages that redirect. */
  readonly redirects: 'in' | 'out' | 'only'
  /** Undefined for all. */
  readonly namespaces: ReadonlySet<number> | undefined
}

interface Exports {
  memory: WebAssembly.Memory
  INPUT: WebAssembly.Global<'i32'>
  NAMESPACES: WebAssembly.Global<'i32'>
  MOST_NAMESPACES: WebAssembly.Global<'i32'>
  SEEN: WebAssembly.Global<'i32'>
  RESULTS: WebAssembly.Global<'i32'>
  SLACK: WebAssembly.Global<'i32'>
  LINE_OVERHEAD: WebAssembly.Global<'i32'>
  validate(from: number, length: number): number
  scan(
    from: number,
    last: number,
    isFaultBehind: number,
    limit: number,
    output: number,
    room: number,
    redirects: number,
    namespaces: number,
  ): number
}

/** Bytes of input that there is room for at first, and at most. */
const FIRST_CAPACITY = 512 * 1024
const LARGEST_CAPACITY = 8 * 1024 * 1024
/** Bytes that are kept of what was read, for excerpts around errors. */
const CONTEXT = 160
/** Bytes that are taken over at a time: what is made of them stays in the caches. */
const PIECE = 256 * 1024
/** Bytes at the end of what is there that may be the beginning of a sequence of UTF-8. */
const LONGEST_CUT = 3
const WASM_PAGE = 65536
const REDIRECTS = ['in', 'out', 'only'] as const

let kernelModule: WebAssembly.Module | undefined
/** Kernels that nobody uses. An engine may not be able to make thousands before it collects those that are gone. */
const idle: Exports[] = []
const MOST_IDLE = 2

/** A scanner; undefined where WebAssembly SIMD is not to be had, or for namespaces that it cannot keep. */
export function makePageScanner(filter: PageScanFilter): PageScanner | undefined {
  kernelModule ??= compileKernel(pagesModule)
  if (!kernelModule) return undefined
  const kernel = idle.pop() ?? (new WebAssembly.Instance(kernelModule).exports as unknown as Exports)
  const namespaces = [...(filter.namespaces ?? [])]
  const canBeKept = namespaces.length <= kernel.MOST_NAMESPACES.value && namespaces.every((ns) => ns === (ns | 0))
  if (canBeKept) return new PageScanner(kernel, filter)
  idle.push(kernel)
  return undefined
}

/** Holds input that was not read yet, and reads it. */
export class PageScanner {
  readonly #kernel: Exports
  readonly #redirects: number
  readonly #namespaces: readonly number[] | undefined
  #capacity = 0
  #bytes = new Uint8Array(0)
  /** Addresses of the first byte that was not read, after the last one that is text, and after the last one that is there. */
  #start: number
  #valid: number
  #end: number

  /** @internal */
  constructor(kernel: Exports, { redirects, namespaces }: PageScanFilter) {
    this.#kernel = kernel
    this.#redirects = REDIRECTS.indexOf(redirects)
    this.#namespaces = namespaces && [...namespaces]
    this.#start = this.#valid = this.#end = kernel.INPUT.value
    this.#resize(FIRST_CAPACITY)
    new Int32Array(kernel.memory.buffer, kernel.NAMESPACES.value).set(this.#namespaces ?? [])
    this.#seen.fill(0)
  }

  /** Gives the memory back. The scanner is not to be used any more. */
  release(): void {
    if (this.#capacity === FIRST_CAPACITY && idle.length < MOST_IDLE) idle.push(this.#kernel)
  }

  /** Those of the namespaces of the filter that pages were in which were read. */
  get namespaces(): number[] {
    const seen = this.#seen
    return this.#namespaces?.filter((_, i) => seen[i] === 1) ?? []
  }

  /** Bytes of input that were not read. */
  get length(): number {
    return this.#end - this.#start
  }

  /** Takes over some of the bytes, and says how many; none where what is there is as much as can be. */
  append(bytes: Uint8Array): number {
    const base = this.#kernel.INPUT.value
    if (this.#end + PIECE > base + this.#capacity) this.#compact()
    if (this.#end === base + this.#capacity && this.#capacity < LARGEST_CAPACITY) this.#resize(2 * this.#capacity)
    const length = Math.min(bytes.length, PIECE, base + this.#capacity - this.#end)
    this.#bytes.set(length < bytes.length ? bytes.subarray(0, length) : bytes, this.#end)
    this.#end += length
    return length
  }

  /** Drops input that was read elsewhere. */
  drop(length: number): void {
    this.#start = Math.min(this.#end, this.#start + length)
  }

  /** Reads pages that begin less than `limit` bytes after the first byte that was not read. */
  scan(limit: number): PageScan {
    const kernel = this.#kernel
    if (this.#valid < this.#start) this.#valid = this.#start
    this.#valid = kernel.validate(this.#valid, this.#end - this.#valid)
    const isFaultBehind = this.#end - this.#valid > LONGEST_CUT
    const output = kernel.INPUT.value + this.#capacity + kernel.SLACK.value
    const end = Math.min(limit, LARGEST_CAPACITY)
    const reason = kernel.scan(
      this.#start,
      this.#valid,
      isFaultBehind ? 1 : 0,
      this.#start + end,
      output,
      this.#room,
      this.#redirects,
      this.#namespaces?.length ?? -1,
    )
    const results = new DataView(kernel.memory.buffer, kernel.RESULTS.value)
    const word = (index: number) => results.getUint32(4 * index, true)
    this.#start += word(0)
    return {
      reason,
      consumed: word(0),
      lines: this.#bytes.subarray(output, output + word(1)),
      pages: word(2),
      redirects: word(3),
      revisions: word(4),
      missingTexts: word(5),
      suppressed: word(6),
      firstPage: results.getFloat64(32, true),
      lastPage: results.getFloat64(40, true),
      lineFeeds: word(12),
      unitsInLine: word(13),
    }
  }

  /** A copy of up to `length` bytes before what was not read, some of them. */
  copyBefore(length: number): Uint8Array {
    const from = this.#start - Math.min(length, CONTEXT)
    return this.#bytes.slice(Math.max(this.#kernel.INPUT.value, from), this.#start)
  }

  get #seen(): Uint8Array {
    return new Uint8Array(this.#kernel.memory.buffer, this.#kernel.SEEN.value, this.#namespaces?.length ?? 0)
  }

  /** Bytes of lines that there is room for: those of a page that is all of the input, or more of smaller ones. */
  get #room(): number {
    return 2 * this.#capacity + this.#kernel.LINE_OVERHEAD.value
  }

  /** Moves what was not read to where the input begins, with some of what was before it. */
  #compact(): void {
    const base = this.#kernel.INPUT.value
    const moved = Math.max(0, this.#start - CONTEXT - base)
    this.#bytes.copyWithin(base, base + moved, this.#end)
    this.#start -= moved
    this.#valid = Math.max(this.#start, this.#valid - moved)
    this.#end -= moved
  }

  #resize(capacity: number): void {
    const { memory, INPUT, SLACK } = this.#kernel
    this.#capacity = capacity
    const wanted = INPUT.value + capacity + this.#room + 2 * SLACK.value
    const missing = wanted - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE))
    this.#bytes = new Uint8Array(memory.buffer)
  }
}

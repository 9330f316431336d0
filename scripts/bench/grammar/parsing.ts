// Measures one engine on input that is in memory.

import { readFileSync } from 'node:fs'
import { Digest, type DigestResult } from './digest.ts'
import type { Input, Language } from './engine.ts'
import { findEngine } from './engines.ts'
import type { CompileSample, ParseSample } from './job.ts'

/** The first one is slow; this many, and it is known how fast the compiler can be. */
const COMPILATIONS = 40
/** A sample takes at least so long, in ms: shorter parses are repeated. */
const LEAST_TIME = 100
/** And before the first one, so that all engines are compiled as well as they will ever be. */
const WARM_UP_TIME = 1000

/** An input whose text is decoded when it is first asked for: not every engine wants it, nor could have it. */
class FileInput implements Input {
  readonly bytes: Uint8Array
  #text: string | undefined

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  get text(): string {
    this.#text ??= new TextDecoder().decode(this.bytes)
    return this.#text
  }
}

export async function measureParsing(
  measure: 'recognizing' | 'tree',
  engineName: string,
  language: Language,
  file: string,
  runs: number,
): Promise<ParseSample[]> {
  const input = new FileInput(readFileSync(file))
  const parser = (await findEngine(engineName).load()).compile(language)
  const recognize = () => {
    if (!parser.recognize(input)) throw new Error(`${engineName} refuses ${file}`)
  }
  let digest: DigestResult | undefined
  const readTree = () => {
    const reading = new Digest()
    parser.readTree(input, reading)
    digest = reading.result
  }
  const parse = measure === 'tree' ? readTree : recognize
  timeRepeated(parse, WARM_UP_TIME)
  return Array.from({ length: runs }, () => {
    const seconds = timeRepeated(parse)
    return { seconds, ...(digest && { digest }) }
  })
}

/** The complete tree of a short text, read. */
export async function measureSmall(
  engineName: string,
  language: Language,
  text: string,
  runs: number,
): Promise<ParseSample[]> {
  const parser = (await findEngine(engineName).load()).compile(language)
  const input = new FileInput(Buffer.from(text))
  const parse = () => {
    const digest = new Digest()
    parser.readTree(input, digest)
    return digest.result
  }
  timeRepeated(parse, WARM_UP_TIME)
  return Array.from({ length: runs }, () => ({ seconds: timeRepeated(parse), digest: parse() }))
}

/** The XML grammar made ready, with one parse of almost nothing: what is put off until then belongs to it. The engine itself is loaded before. */
export async function measureCompiling(engineName: string, runs: number): Promise<CompileSample[]> {
  const engine = await findEngine(engineName).load()
  const input = new FileInput(Buffer.from('<a/>'))
  return Array.from({ length: Math.max(runs, COMPILATIONS) }, () => {
    const start = performance.now()
    engine.compile('xml').readTree(input, new Digest())
    return { seconds: (performance.now() - start) / 1000 }
  })
}

/** Seconds of one call: the mean of as many as are needed for a time that can be measured. */
function timeRepeated(call: () => void, leastTime = LEAST_TIME): number {
  const start = performance.now()
  for (let count = 1; ; count++) {
    call()
    const elapsed = performance.now() - start
    if (elapsed >= leastTime) return elapsed / 1000 / count
  }
}

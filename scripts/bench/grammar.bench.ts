// Grammars: recognising, complete trees and partial trees, side by side with other parser libraries for JavaScript.
//
// Each line of each table is measured in a process of its own (isolated.ts). Every string of every tree goes into a digest, and the
// digests of all engines must be equal. Peers get their input as text that is decoded before the clock starts, our engine as bytes.

import { resolve } from 'node:path'
import { MEBIBYTE } from './corpus.ts'
import { engines, OURS } from './grammar/engines.ts'
import { judge, tellFindings } from './grammar/findings.ts'
import { type InputFile, type InputFiles, type InputName, inputs } from './grammar/inputs.ts'
import type { CompileSample, FirstNodeSample, Job, JobResult, ParseSample, StreamSample } from './grammar/job.ts'
import { type Failure, formatTables, type Measurement, type Results, type Streaming } from './grammar/results.ts'
import { runIsolated } from './isolated.ts'
import { describeMachine, formatMachine } from './machine.ts'
import { parseCount, parseOptions, UsageError } from './options.ts'
import { writeRecord } from './report.ts'

const SECTIONS = ['recognizing', 'tree', 'small', 'compiling', 'first-node', 'streaming'] as const
type Section = (typeof SECTIONS)[number]

const USAGE = `Usage: npm run bench -- grammar [options]

Parses JSON, CSV, log lines and XML with grammars that say the same in several libraries.

  --sizes KB,…      sizes of the inputs (default 1,16,1024), in KB of 2^10 bytes
  --large MB,…      sizes of the files for partial trees (default 64,256), in MB of 2^20 bytes
  --inputs NAME,…   of ${Object.keys(inputs).join(', ')} (default all)
  --engines NAME;…  of ${Object.keys(engines).join('; ')} (default all)
  --sections NAME,… of ${SECTIONS.join(', ')} (default all)
  --dump FILE       MediaWiki dump for the input xml (default: the small one among the fixtures, its pages repeated)
  --markup FILE     XML document for the input markup (default: a generated one)
  --runs N          samples in each process (default 5), each of at least a tenth of a second
  --json FILE       where the record goes (default build/bench/grammar.json)
  --help            this text

Exit code 1: an answer was wrong, or a figure missed its mark.`

/** About 100 bytes each. */
const SMALL_INPUTS = {
  json: '{"name": "xylem", "tags": ["wood", "é木🌳"], "size": 1024, "ratio": -0.5e+10, "isDry": false, "id": 7}',
  log: '2026-01-02T03:04:05.678Z INFO web-1 GET /wiki/Xylem 200 18234 "https://wiki.example.org/" "curl/8.5.0"\n',
  xml: '<page id="7"><title>Wood &amp; é木🌳</title><text xml:space="preserve">carries water</text></page>',
} as const

/** What is delivered of a file, what a slow source begins with, and how many such nodes stand before the records. */
const STREAMED = {
  log: { emit: 'entry', first: SMALL_INPUTS.log, before: 0 },
  xml: { emit: 'element', first: `<mediawiki>${SMALL_INPUTS.xml}`, before: 1 },
} as const

interface Settings {
  readonly sizes: readonly number[]
  readonly large: readonly number[]
  readonly inputs: readonly InputName[]
  readonly engines: readonly string[]
  readonly sections: readonly Section[]
  readonly files: InputFiles
  readonly runs: number
  readonly json: string
}

export async function run(args: string[]): Promise<number> {
  const values = parseOptions(args, {
    sizes: { type: 'string' },
    large: { type: 'string' },
    inputs: { type: 'string' },
    engines: { type: 'string' },
    sections: { type: 'string' },
    dump: { type: 'string' },
    markup: { type: 'string' },
    runs: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  return runAll({
    sizes: parseSizes('sizes', values.sizes ?? '1,16,1024', 1024),
    large: parseSizes('large', values.large ?? '64,256', MEBIBYTE),
    inputs: parseNames('inputs', values.inputs, ',', Object.keys(inputs) as InputName[]),
    engines: parseNames('engines', values.engines, ';', Object.keys(engines)),
    sections: parseNames('sections', values.sections, ',', SECTIONS),
    files: { dump: values.dump && resolve(values.dump), markup: values.markup && resolve(values.markup) },
    runs: parseCount('runs', values.runs, 5),
    json: values.json ?? 'build/bench/grammar.json',
  })
}

function parseSizes(option: string, text: string, unit: number): number[] {
  return text.split(',').map((size) => parseCount(option, size, 0) * unit)
}

function parseNames<Name extends string>(
  option: string,
  text: string | undefined,
  separator: string,
  known: readonly Name[],
): readonly Name[] {
  if (text === undefined) return known
  return text.split(separator).map((part) => {
    const name = known.find((other) => other === part.trim())
    if (name) return name
    throw new UsageError(`--${option} must be of ${known.join(`${separator} `)}, not '${part}'`)
  })
}

async function runAll(settings: Settings): Promise<number> {
  const date = new Date().toISOString()
  const machine = describeMachine()
  console.log(`${date}\n${formatMachine(machine)}\n`)
  const results = await new Run(settings).measureAll()
  const findings = judge(results)
  console.log(`${formatTables(results)}\n\n${tellFindings(findings).join('\n')}`)
  const { sizes, large, inputs } = settings
  await writeRecord(resolve(settings.json), {
    benchmark: 'grammar',
    date,
    machine,
    sizes,
    large,
    inputs,
    ...results,
    findings,
  })
  console.log(`\nRecord: ${settings.json}`)
  for (const fault of findings.faults) console.error(`bench: ${fault}`)
  return findings.faults.length > 0 || findings.figures.some(({ isMet }) => !isMet) ? 1 : 0
}

const CHILD = new URL('grammar/child.ts', import.meta.url)

class Run {
  readonly #settings: Settings
  readonly #failures: Failure[] = []

  constructor(settings: Settings) {
    this.#settings = settings
  }

  async measureAll(): Promise<Results> {
    const { runs } = this.#settings
    return {
      runs,
      recognizing: await this.#measureParsing('recognizing'),
      tree: await this.#measureParsing('tree'),
      small: await this.#measureSmall(),
      compiling: await this.#measureCompiling(),
      firstNode: await this.#measureFirstNode(),
      streaming: await this.#measureStreaming(),
      failures: this.#failures,
    }
  }

  async #measureParsing(measure: 'recognizing' | 'tree'): Promise<Measurement<ParseSample>[]> {
    if (!this.#isAsked(measure)) return []
    const { sizes, runs } = this.#settings
    const measurements: Measurement<ParseSample>[] = []
    for (const input of this.#settings.inputs) {
      const measured = new Set<number>()
      for (const size of sizes) {
        const { path: file, bytes } = await this.#makeInput(input, size)
        // A document that cannot be cut is the same in all sizes below its own.
        if (measured.has(bytes)) continue
        measured.add(bytes)
        for (const engine of this.#enginesFor(measure, bytes)) {
          const job: Job = { measure, engine, language: inputs[input], file, runs }
          measurements.push(...(await this.#measure<ParseSample>(job, engine, input, bytes)))
        }
      }
    }
    return measurements
  }

  async #measureSmall(): Promise<Measurement<ParseSample>[]> {
    if (!this.#isAsked('small')) return []
    const measurements: Measurement<ParseSample>[] = []
    for (const [input, text] of Object.entries(SMALL_INPUTS) as [keyof typeof SMALL_INPUTS, string][]) {
      const bytes = Buffer.byteLength(text)
      for (const engine of this.#enginesFor('tree', bytes)) {
        const job: Job = { measure: 'small', engine, language: input, text, runs: this.#settings.runs }
        measurements.push(...(await this.#measure<ParseSample>(job, engine, input, bytes)))
      }
    }
    return measurements
  }

  async #measureCompiling(): Promise<Measurement<CompileSample>[]> {
    if (!this.#isAsked('compiling')) return []
    const measurements: Measurement<CompileSample>[] = []
    for (const engine of this.#enginesFor('recognizing', 0)) {
      const job: Job = { measure: 'compiling', engine, runs: this.#settings.runs }
      measurements.push(...(await this.#measure<CompileSample>(job, engine, 'xml', 0)))
    }
    return measurements
  }

  async #measureFirstNode(): Promise<Measurement<FirstNodeSample>[]> {
    if (!this.#isAsked('first-node') || !this.#settings.engines.includes(OURS)) return []
    const measurements: Measurement<FirstNodeSample>[] = []
    for (const input of this.#streamedInputs()) {
      const { emit, first: text } = STREAMED[input]
      const job: Job = { measure: 'first node', language: input, emit, text, runs: this.#settings.runs }
      measurements.push(...(await this.#measure<FirstNodeSample>(job, OURS, input, Buffer.byteLength(text))))
    }
    return measurements
  }

  async #measureStreaming(): Promise<Streaming[]> {
    if (!this.#isAsked('streaming') || !this.#settings.engines.includes(OURS)) return []
    const { large } = this.#settings
    const measured: Streaming[] = []
    for (const input of this.#streamedInputs()) {
      for (const size of large) {
        const file = await this.#makeInput(input, size)
        measured.push(...(await this.#streamFile(input, file)))
      }
    }
    return measured
  }

  async #streamFile(input: keyof typeof STREAMED, { path: file, bytes, records }: InputFile): Promise<Streaming[]> {
    const { emit, before } = STREAMED[input]
    // Once: peak memory would be that of all runs.
    const bareJob: Job = { measure: 'bare reading', file, runs: 1 }
    const job: Job = { measure: 'partial trees', language: input, emit, file, runs: 1 }
    const [bare] = await this.#measure<StreamSample>(bareJob, OURS, input, bytes)
    const [partial] = await this.#measure<StreamSample>(job, OURS, input, bytes)
    if (!bare || !partial) return []
    return [{ input, bytes, nodes: records + before, partial, bare }]
  }

  async #makeInput(input: InputName, size: number): Promise<InputFile> {
    const job: Job = { measure: 'making input', input, size, files: this.#settings.files, runs: 1 }
    const { samples } = await runIsolated<JobResult<InputFile>>(CHILD, job)
    return samples[0] as InputFile
  }

  /** One process after the other: they must not share the machine. One that fails does not stop the others. */
  async #measure<Sample>(job: Job, engine: string, input: string, bytes: number): Promise<Measurement<Sample>[]> {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${job.measure}: ${input}, ${bytes} bytes, ${engine} …`)
    try {
      const result = await runIsolated<JobResult<Sample>>(CHILD, job)
      return [{ engine, input, bytes, ...result }]
    } catch (error) {
      this.#failures.push({ engine, input, bytes, message: (error as Error).message.replace(/^.*\} /, 'its process ') })
      return []
    } finally {
      if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
    }
  }

  #isAsked(section: Section): boolean {
    return this.#settings.sections.includes(section)
  }

  #enginesFor(measure: 'recognizing' | 'tree', bytes: number): string[] {
    return this.#settings.engines.filter((name) => {
      const engine = engines[name]
      if (!engine) return false
      return bytes <= (measure === 'tree' ? engine.mostTree : engine.most)
    })
  }

  #streamedInputs(): (keyof typeof STREAMED)[] {
    return (Object.keys(STREAMED) as (keyof typeof STREAMED)[]).filter((name) => this.#settings.inputs.includes(name))
  }
}

// The shape that is inferred from inputs, and their content, which is read again from the beginning.

import { decompress } from '../../compression/decompress.ts'
import type { Cursor } from '../../stream/cursor.ts'
import type { ByteSource } from '../../stream/sources/source.ts'
import { type AuditCounts, AuditReport } from '../../xml/infer/audit/audit.ts'
import { auditedReading, readPaths } from '../../xml/infer/audit/audited-records.ts'
import { formatShape } from '../../xml/infer/format-shape.ts'
import { type InferredShape, inferFrom, LARGEST_RECORD } from '../../xml/infer/infer-shape.ts'
import type { PathNode } from '../../xml/infer/path-node.ts'
import type { BatchOptions } from '../../xml/readings/records.ts'
import { ExitCode, InputError, ReportedError, UsageError } from '../errors/errors.ts'
import { tellError } from '../errors/report.ts'
import { type Input, pathOfRegular } from '../inputs/inputs.ts'
import { OpenInput } from '../inputs/read-inputs.ts'
import { countReplaced, openReading } from '../inputs/xml-readers.ts'
import type { InferOptions } from '../options/document-options.ts'
import { xmlOptions } from '../options/xml-options.ts'
import type { RecordQuestion } from '../read/question.ts'
import { tellAll } from '../terminal/terminal.ts'
import { listFirst, quotePath, quoteWord } from '../terminal/word-list.ts'

/** Bytes that are looked at. */
const SAMPLE = 4 * 1024 * 1024
/** A larger sample is not kept: the input is read twice. */
const MOST_KEPT = 64 * 1024 * 1024

/** What helps against values of another kind. */
const ADVICE = ': use --lenient, or --shape with a shape of xylem infer in which the kind is changed'

/** An input that was sampled and is read on, and what keeps its sample. */
interface SampledInput {
  readonly opened: OpenInput
  readonly start: Cursor
}

export class InferredInputs {
  readonly inferred: InferredShape
  readonly inputs: readonly Input[]
  /** The input in which an error has ended the sample. */
  readonly failed: Input | undefined
  readonly found = new AuditReport()
  readonly #sampled: ReadonlyMap<Input, SampledInput>

  private constructor(
    inferred: InferredShape,
    inputs: readonly Input[],
    failed: Input | undefined,
    sampled: ReadonlyMap<Input, SampledInput>,
  ) {
    this.inferred = inferred
    this.inputs = inputs
    this.failed = failed
    this.#sampled = sampled
  }

  /**
   * Infers one shape for inputs. `isReadAgain`: whether they are read afterwards. Says what was found and throws a `ReportedError` where there are no records, and an `InputError` for what
   * cannot be read.
   */
  static async of(
    inputs: readonly Input[],
    options: Omit<InferOptions, 'output'>,
    isReadAgain: boolean,
    signal: AbortSignal,
  ): Promise<InferredInputs> {
    const { each, sample, all, jobs, required = false } = options
    if (all && sample !== undefined) throw new UsageError('--all and --sample cannot be used together')
    const bytes = all ? Number.POSITIVE_INFINITY : (sample ?? SAMPLE)
    const isSmall = bytes <= MOST_KEPT
    const once = isReadAgain && !isSmall ? inputs.find(isReadOnce) : undefined
    if (once) {
      const option = all ? '--all' : `--sample of more than ${MOST_KEPT / 2 ** 20} MiB`
      throw new UsageError(`${option} reads an input twice, and ${once.name} can be read only once; give a file`)
    }
    const sampled = new Map<Input, SampledInput>()
    const names = listFirst(inputs.map(({ name }) => name))
    function* open(): Generator<ByteSource | Cursor> {
      for (const input of inputs) {
        // Files are opened again: there may be many.
        const isKept =
          isReadAgain && isSmall && (input === inputs[0] || input.storedIn === undefined || isReadOnce(input))
        const opened = new OpenInput(input, { jobs, signal })
        if (!isKept) {
          yield decompress(opened.source, { threads: jobs })
          continue
        }
        const start = opened.cache.cursor()
        sampled.set(input, { opened, start })
        const cursor = start.clone()
        yield cursor
        cursor.release()
      }
    }
    const release = () => {
      for (const { start } of sampled.values()) start.release()
    }
    try {
      const mostBytes = sample === undefined ? LARGEST_RECORD : undefined
      const replaced = countReplaced()
      const asked = {
        ...(await openReading(await xmlOptions(options, signal), undefined, replaced.see)),
        each,
        bytes,
        mostBytes,
        required,
        signal,
      }
      const { inferred, seen } = await inferFrom(open(), inputs.length, asked)
      if (!isReadAgain) tellAll(replaced.say())
      const failed = inputs[seen.failed]
      if (inferred) return new InferredInputs(inferred, inputs, failed, sampled)
      if (failed) throw new InputError(failed.name, seen.error)
      const all = inputs.length === 1 ? 'the document' : 'the documents'
      const where = seen.isComplete ? all : `the first ${seen.bytes.toLocaleString('en')} bytes`
      const missing = each
        ? `no element in ${where} matches --each ${each.join(' or ')}`
        : `nothing in ${where} repeats that records could be made of`
      const advice = each ? '' : '; --each says which elements are records'
      tellError(`${names}: ${missing}; found ${namePaths(seen.top)}${advice}`, 'nothing-found')
    } catch (error) {
      release()
      if (isInvalidOption(error)) throw new UsageError((error as Error).message)
      throw error instanceof InputError ? error : new InputError(names, error)
    }
    release()
    throw new ReportedError(ExitCode.NOTHING_FOUND)
  }

  /** A question with the records and fields that were inferred. */
  askFor(question: RecordQuestion): RecordQuestion {
    const { shape, prefixes } = this.inferred
    return { ...question, path: readPaths(this.inferred), fields: Object.entries(shape), prefixes }
  }

  /** What reads their records, and finds what the sample did not show. */
  get reading(): BatchOptions {
    return { read: auditedReading(this.inferred, this.found, ADVICE), resumesAt: this.inferred.paths }
  }

  /** What is in no field, in lines. */
  say(): string[] {
    return [...(this.inferred.isWhole ? [`xylem: ${this.#describeWhole()}`] : []), ...describeUnseen(this.found.data)]
  }

  #describeWhole(): string {
    const what = this.inputs.length === 1 ? 'the document is' : 'each document is'
    return `no elements repeat that records could be made of: ${what} one record`
  }

  /** An input whose sample was kept; undefined for others. */
  open(input: Input): OpenInput | undefined {
    return this.#sampled.get(input)?.opened
  }

  /** Keeps the sample of an input no longer, or no sample. */
  release(input?: Input): void {
    for (const [one, { start }] of this.#sampled) if (!input || one === input) start.release()
  }

  /** The shape as a file, which may get a name. */
  format({ output = 'shape.json', strict, namespaces, encoding }: InferOptions): string {
    const { paths, prefixes = {}, records, bytes, isComplete, isCut, isWhole, others, source } = this.inferred
    const [first = '', ...more] = paths.map((path) => quoteWord(path))
    const count = this.inputs.length
    const command = [
      'xylem select',
      first,
      ...this.inputs.map(({ name }) => (name === 'standard input' ? '-' : quotePath(name))),
      ...more.map((path) => `--path ${path}`),
      ...Object.entries(source.names.areOthers ? prefixes : {}).map((pair) => `--prefix ${quoteWord(pair.join('='))}`),
      ...(strict ? [] : ['--no-strict']),
      ...(namespaces ? [] : ['--no-namespaces']),
      ...(encoding === undefined ? [] : [`--encoding ${quoteWord(encoding)}`]),
      `--shape ${quoteWord(output)}`,
    ]
    const size = bytes.toLocaleString('en')
    const [all, beginning] =
      count === 1
        ? ['all of the document', `its first ${size} bytes`]
        : [`all of ${count} documents`, `the first ${size} bytes of ${count} documents`]
    const head = [
      command.join(' '),
      `${records.toLocaleString('en')} ${records === 1 ? 'record' : 'records'} in ${isComplete ? all : beginning}`,
      ...(isWhole ? [this.#describeWhole()] : []),
      ...others.map(
        ({ path, count }) => `${path} repeats, too (${count.toLocaleString('en')}): --each ${quoteWord(path)}`,
      ),
      ...(isCut ? ['it has too many different names: some elements are kept as XML'] : []),
    ]
    return formatShape(this.inferred, { head })
  }
}

/** Whether an input cannot be opened again: a pipe, or standard input. */
function isReadOnce(input: Input): boolean {
  return input.name === 'standard input' || (input.path !== undefined && pathOfRegular(input) === undefined)
}

/** The paths of the first elements in documents. */
function namePaths(top: PathNode): string {
  const paths: string[] = []
  const add = (node: PathNode): void => {
    for (const child of node.children.values()) {
      paths.push(child.path)
      add(child)
    }
  }
  add(top)
  return paths.length === 0 ? 'no element' : listFirst(paths)
}

function isInvalidOption(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'invalid-option'
}

/** Paths that are named. */
const MOST_NAMES = 10
/** Names of what is left begin with why it is. */
const LEFT = {
  'unseen ': 'not in the sample',
  'repeated ': 'more than one where the sample had one',
  'mistyped ': 'not of the kind of the sample',
}

/** What there is to say, in lines. */
function describeUnseen({ left, outside }: Partial<AuditCounts>): string[] {
  const lines: string[] = []
  for (const [why, words] of Object.entries(LEFT)) {
    const found = (left?.names ?? []).filter(([name]) => name.startsWith(why))
    const paths = found
      .sort(([, one], [, other]) => other.count - one.count)
      .map(
        ([name, { count }]) =>
          `${name.slice(why.length)} in ${count.toLocaleString('en')} record${count === 1 ? '' : 's'}`,
      )
    if (paths.length > 0) lines.push(`xylem: ${words}: ${listFirst(paths, MOST_NAMES)} (see the field rest)`)
  }
  const paths = outside?.names.map(([path, { count }]) => `${path} (${count.toLocaleString('en')})`)
  if (paths) lines.push(`xylem: in no record: ${listFirst(paths, MOST_NAMES)}`)
  if ([left, outside].some((tally) => tally && tally.others > 0))
    lines.push('xylem: there are more paths that were not in the sample; only some are counted')
  return lines
}

// The shape that is inferred from an input, and its content, which is read again from the beginning.

import type { Cursor } from '../../stream/cursor.ts'
import { AuditReport } from '../../xml/infer/audit/audit-report.ts'
import { auditedReading, readPaths } from '../../xml/infer/audit/audited-records.ts'
import { formatShape } from '../../xml/infer/format-shape.ts'
import { type InferredShape, inferFrom } from '../../xml/infer/infer-shape.ts'
import type { PathNode } from '../../xml/infer/path-node.ts'
import { InputError, ReportedError, UsageError } from '../errors/errors.ts'
import { ExitCode } from '../errors/exit-codes.ts'
import { tellError } from '../errors/report.ts'
import type { Input } from '../inputs/inputs.ts'
import { OpenInput } from '../inputs/read-inputs.ts'
import type { InferOptions } from '../options/infer-options.ts'
import { xmlOptions } from '../options/xml-options.ts'
import { reportUnseenValues } from '../output/unseen-values.ts'
import { quotePath, quoteWord } from '../terminal/quote-word.ts'
import type { SelectQuestion } from './select-question.ts'

/** Bytes that are looked at. */
const SAMPLE = 4 * 1024 * 1024
/** A larger sample is not kept: the input is read twice. */
const MOST_KEPT = 64 * 1024 * 1024
/** So many paths are named where nothing repeats. */
const MOST_NAMED = 5

/** What helps against values of another kind. */
const ADVICE = ': use --lenient, or --shape with a shape of xylem infer in which the kind is changed'

export class InferredInput {
  readonly inferred: InferredShape
  readonly #found = new AuditReport()
  readonly #input: Input
  /** The input that was sampled, if it is read on. */
  readonly #opened: OpenInput | undefined
  /** Keeps the sample. */
  readonly #start: Cursor | undefined

  private constructor(inferred: InferredShape, input: Input, opened?: OpenInput, start?: Cursor) {
    this.inferred = inferred
    this.#input = input
    this.#opened = opened
    this.#start = start
  }

  /**
   * Infers the shape of an input. `isReadAgain`: whether the input is read afterwards. Says what was found and throws a `ReportedError` where there are no records, and an `InputError` for what
   * cannot be read.
   */
  static async of(
    input: Input,
    options: InferOptions & { readonly required?: true },
    isReadAgain: boolean,
    signal: AbortSignal,
  ): Promise<InferredInput> {
    const { each, sample = SAMPLE, all, jobs, required = false } = options
    if (all && options.sample !== undefined) throw new UsageError('--all and --sample cannot be used together')
    const bytes = all ? Number.POSITIVE_INFINITY : sample
    const isKept = isReadAgain && bytes <= MOST_KEPT
    if (isReadAgain && !isKept && input.name === 'standard input') {
      const option = all ? '--all' : `--sample of more than ${MOST_KEPT / 2 ** 20} MiB`
      throw new UsageError(`${option} reads an input twice, and standard input can be read only once; give a file`)
    }
    const opened = new OpenInput(input, { jobs, signal })
    const start = isKept ? opened.cache.cursor() : undefined
    const sampled = start?.clone()
    try {
      const asked = { ...xmlOptions(options), each, bytes, required, signal }
      const { inferred, seen } = await inferFrom(sampled ?? opened.cache, asked)
      if (inferred) return new InferredInput(inferred, input, isKept ? opened : undefined, start)
      const where = seen.isComplete ? 'the document' : `the first ${seen.bytes.toLocaleString('en')} bytes`
      const missing = each
        ? `no element in ${where} matches --each ${each.join(' or ')}`
        : `nothing in ${where} repeats that records could be made of`
      const advice = each ? '' : '; --each says which elements are records'
      tellError(`${input.name}: ${missing}; found ${namePaths(seen.top)}${advice}`, 'nothing-found')
    } catch (error) {
      start?.release()
      if (isInvalidOption(error)) throw new UsageError((error as Error).message)
      throw new InputError(input.name, error)
    } finally {
      sampled?.release()
    }
    start?.release()
    throw new ReportedError(ExitCode.NOTHING_FOUND)
  }

  /** A question with the records and fields that were inferred. */
  askFor(question: SelectQuestion): SelectQuestion {
    return { ...question, path: readPaths(this.inferred), fields: Object.entries(this.inferred.shape) }
  }

  /** What reads their records, and finds what the sample did not show. */
  get read(): ReturnType<typeof auditedReading> {
    return auditedReading(this.inferred, this.#found, ADVICE)
  }

  /** Says on standard error what the sample did not show. */
  report(): void {
    reportUnseenValues(this.#found)
  }

  /** The input, if its sample was kept; undefined for other inputs. */
  open(input: Input): OpenInput | undefined {
    return input === this.#input ? this.#opened : undefined
  }

  /** Keeps the sample no longer. */
  release(): void {
    this.#start?.release()
  }

  /** The shape as a file, which may get a name. */
  format(output = 'shape.json'): string {
    const { paths, records, bytes, isComplete, isCut, others } = this.inferred
    const { name } = this.#input
    const [first = '', ...more] = paths.map((path) => quoteWord(path))
    const input = name === 'standard input' ? '-' : quotePath(name)
    const command = [
      'xylem select',
      first,
      input,
      ...more.map((path) => `--path ${path}`),
      `--shape ${quoteWord(output)}`,
    ]
    const seen = `${records.toLocaleString('en')} records in ${isComplete ? 'all of the document' : `its first ${bytes.toLocaleString('en')} bytes`}`
    const head = [
      command.join(' '),
      seen,
      ...others.map(
        ({ path, count }) => `${path} repeats, too (${count.toLocaleString('en')}): --each ${quoteWord(path)}`,
      ),
      ...(isCut ? ['it has too many different names: some elements are kept as XML'] : []),
    ]
    return formatShape(this.inferred, { head })
  }
}

/** The paths of the first elements in the document. */
function namePaths(top: PathNode): string {
  const paths: string[] = []
  const add = (node: PathNode): void => {
    for (const child of node.children.values()) {
      paths.push(child.path)
      add(child)
    }
  }
  add(top)
  const more = paths.length - MOST_NAMED
  return paths.length === 0
    ? 'no element'
    : paths.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function isInvalidOption(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'invalid-option'
}

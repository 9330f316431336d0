// What `xylem types` does: writes what a grammar gives, as a module of TypeScript or a JSON Schema.

import { readFile } from 'node:fs/promises'
import { makeSchema, writeTypes } from '../../grammar/index.ts'
import { ExitCode, InputError, OutputError, ReportedError, UsageError } from '../errors/errors.ts'
import { report, tellError } from '../errors/report.ts'
import { loadGrammar } from '../inputs/grammar-file.ts'
import { findInput } from '../inputs/inputs.ts'
import type { TypesOptions } from '../options/grammar-options.ts'
import { requireFileName } from '../output/file-formats.ts'
import { isStandardOutput, writeOutput } from '../output/output.ts'
import { tell } from '../terminal/terminal.ts'

export async function printTypes(path: string, options: TypesOptions, signal: AbortSignal): Promise<void> {
  requireTogether(path, options)
  if (options.check) return await compare(path, options, signal)
  if (options.watch) return await watch(path, options, signal)
  const text = await makeText(path, options, signal)
  await writeOutput(options.output, path, signal, (output) => output.write(text))
}

function requireTogether(path: string, { output, schema, entry, check, watch }: TypesOptions): void {
  requireFileName(output, [schema ? 'schema' : 'typings'], schema ? 'types --schema' : 'types')
  if (!schema && /\.d\.[cm]?ts$/.test(output ?? '')) {
    throw new UsageError(
      `types writes a module that a program imports, not declarations alone (${output}); use a name such as log.types.ts`,
    )
  }
  if (!schema && entry !== undefined) throw new UsageError('--entry needs --schema: types are of all rules')
  if (check && watch) throw new UsageError('--check and --watch cannot be used together')
  const name = check ? '--check' : '--watch'
  if ((check || watch) && isStandardOutput(output)) throw new UsageError(`${name} needs a file: use --output`)
  if (watch && (path === '-' || /^(@|https?:)/.test(path)))
    throw new UsageError(`--watch needs a grammar that is a file, not ${path}`)
}

async function makeText(path: string, options: TypesOptions, signal: AbortSignal): Promise<string> {
  const grammar = await loadGrammar(path, options, signal)
  const { schema, entry, type, positions, lenient, as = [] } = options
  const form = { type, positions, lenient, as: as.length === 0 ? undefined : Object.fromEntries(as) }
  try {
    return schema ? `${JSON.stringify(makeSchema(grammar, entry, form), undefined, 2)}\n` : writeTypes(grammar, form)
  } catch (error) {
    if (error instanceof RangeError) throw new InputError(path, new UsageError(error.message))
    // The name or the kind of an option is wrong.
    throw error instanceof TypeError && 'code' in error ? new UsageError(error.message) : error
  }
}

/** Says in one line that the output is not what would be written, and exits with an exit code of its own. */
async function compare(path: string, options: TypesOptions, signal: AbortSignal): Promise<void> {
  const output = options.output as string
  const [text, written] = await Promise.all([makeText(path, options, signal), readWritten(output)])
  if (text === written) return
  const what = written === undefined ? 'does not exist' : `is not up to date with ${path}`
  tellError(`${output} ${what}; write it again with the same command without --check`, 'stale-types')
  throw new ReportedError(ExitCode.FAULTS)
}

/** The text of the output; undefined if there is none. */
async function readWritten(output: string): Promise<string | undefined> {
  try {
    return await readFile(output, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new OutputError(output, error as Error)
  }
}

/** Milliseconds after a change until the grammar is read: editors write in several steps. */
const PATIENCE = 50

/** Writes the output now and after each change. What is wrong with the grammar is reported, and keeps nobody from correcting it. */
async function watch(path: string, options: TypesOptions, signal: AbortSignal): Promise<void> {
  const [{ watch }, { EventEmitter }, { basename, dirname }, { setTimeout: sleep }] = await Promise.all([
    import('node:fs'),
    import('node:events'),
    import('node:path'),
    import('node:timers/promises'),
  ])
  // Editors put a new file in the place of the old one: the folder sees both.
  const { storedIn = path } = await findInput(path).catch(() => ({ storedIn: path }))
  const changes = EventEmitter.on(open(), 'change', { signal })
  await update(path, options, signal)
  for await (const [, name] of changes) {
    if (name !== null && name !== basename(storedIn)) continue
    await sleep(PATIENCE, undefined, { signal })
    await update(path, options, signal)
  }

  function open() {
    try {
      return watch(dirname(storedIn), { signal })
    } catch (error) {
      throw new InputError(path, error)
    }
  }
}

async function update(path: string, options: TypesOptions, signal: AbortSignal): Promise<void> {
  const output = options.output as string
  try {
    const text = await makeText(path, options, signal)
    if (text === (await readWritten(output))) return
    await writeOutput(output, path, signal, (file) => file.write(text))
    tell(`xylem: wrote ${output}`)
  } catch (error) {
    if (signal.aborted || !(error instanceof InputError)) throw error
    report(error)
  }
}

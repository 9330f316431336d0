// Running the built command line: as a user does, or within this process, where a command takes a tenth of the time.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const commandLine = new URL('../../dist/cli-main.js', import.meta.url).href

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

/** Starts `xylem` with its standard streams as pipes. */
export function start(...args: string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [main, ...args])
  // A command that does not read its input closes it, which does not matter to a test.
  child.stdin.on('error', () => {})
  return child
}

/** Commands that run within this process, which has only one standard output, take turns. */
let turn: Promise<unknown> = Promise.resolve()

/**
 * Runs `xylem` to its end within this process, with `input`, or its chunks one after the other, as its standard input. `load` loads the command line: the one
 * that was built, unless a test changes modules of the source.
 */
export function run(
  args: string[],
  input: Uint8Array | string | readonly Uint8Array[] = '',
  load = loadBuilt,
): Promise<Outcome> {
  const outcome = turn.then(async () => {
    const { runCommandLine } = await load()
    const chunks = typeof input === 'string' || input instanceof Uint8Array ? [Buffer.from(input)] : input
    const stdin = Object.assign(Readable.from(chunks.filter(({ length }) => length > 0)), { fd: notAFile })
    const stdout = new Capture()
    const stderr = new Capture()
    const restore = replaceStreams({ stdin, stdout, stderr })
    try {
      return { code: await runCommandLine(args), stdout: stdout.text, stderr: stderr.text }
    } finally {
      restore()
    }
  })
  turn = outcome.catch(() => {})
  return outcome
}

async function loadBuilt(): Promise<typeof import('../../source/cli/main.ts')> {
  return await import(/* @vite-ignore */ commandLine)
}

/** Standard input that is a file is read as one. */
const notAFile = openSync('/dev/null', 'r')

class Capture extends Writable {
  readonly #chunks: Buffer[] = []

  get text(): string {
    return Buffer.concat(this.#chunks).toString()
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(Buffer.from(chunk))
    done()
  }
}

/** Puts streams in the place of those of this process. Returns what puts them back. */
function replaceStreams(streams: Record<'stdin' | 'stdout' | 'stderr', unknown>): () => void {
  const kept = Object.keys(streams).map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const)
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true })
  return () => {
    for (const [name, descriptor] of kept) if (descriptor) Object.defineProperty(process, name, descriptor)
  }
}

/** What a started command prints until it ends. */
export async function finish(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }
}

/** How many bytes a process has read so far, of all files. Throws if it has ended. */
export function bytesReadBy(pid: number): number {
  return Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])
}

/** Whether a process has a file open. */
export function hasOpened(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).some((fd) => {
    try {
      return readlinkSync(join(folder, fd)) === path
    } catch {
      return false // closed meanwhile
    }
  })
}

// A program in Python that says what it makes of bytes, where Python is installed.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Answers are of the type `Answer`; the first line that the program prints, which says what it can do, is of the type `Greeting`. */
export class PythonOracle<Answer, Greeting> {
  readonly greeting: Greeting
  readonly #process: ChildProcessWithoutNullStreams
  readonly #lines: AsyncIterator<string>

  private constructor(process: ChildProcessWithoutNullStreams, lines: AsyncIterator<string>, greeting: Greeting) {
    this.greeting = greeting
    this.#process = process
    this.#lines = lines
  }

  /** Starts a program of this folder; undefined where there is no Python. */
  static async start<Answer, Greeting>(name: string): Promise<PythonOracle<Answer, Greeting> | undefined> {
    const script = fileURLToPath(new URL(name, import.meta.url))
    const child = spawn('python3', [script], { env: { ...process.env, PYTHONIOENCODING: 'utf8' } })
    child.on('error', () => {})
    child.stderr.pipe(process.stderr)
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const first = await lines.next()
    return first.done ? undefined : new PythonOracle(child, lines, JSON.parse(first.value) as Greeting)
  }

  /** What it makes of bytes. */
  async ask(bytes: Uint8Array): Promise<Answer> {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(bytes.length)
    this.#process.stdin.write(Buffer.concat([head, bytes]))
    const { value } = await this.#lines.next()
    return JSON.parse(value as string) as Answer
  }

  close(): void {
    this.#process.stdin.end()
  }
}

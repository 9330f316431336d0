// What commands print, as a text that can be read and compared: each command, its output, its messages and its exit code.
//
// Messages begin with "! ". Carriage returns are shown as ␍. The text has no line in full twice, and no output that is very long: what is left
// out is there as a digest.

import { createHash } from 'node:crypto'
import { type Outcome, run } from './command.ts'

/** Characters from which on a line is shortened: always, and where it was there before. */
const LONG_LINE = 1000
const REPEATED_LINE = 100
/** Characters that are left of a line. */
const SHORTENED = 60
/** Characters of the longest output that is not a digest, unless said otherwise. */
const LONGEST_OUTPUT = 64 * 1024

/** Commands that take `--jobs`. */
const WITH_JOBS = new Set(['pages', 'revisions', 'get', 'index'])
/** What a trailer says of the state of the file, which no two runs have in common. */
const STATE = /,"input":\{"size":.*?\]\]\}/g
/** The lines of `--stats` that no two runs have in common. */
const MEASURED = /^(read|memory|event loop) {2,}.*$/gm

export class Transcript {
  readonly #folder: string
  readonly #longestOutput: number
  readonly #seen = new Set<string>()
  /** The commands by their outputs, and by their messages. */
  readonly #outputs = new Map<string, string>()
  readonly #messages = new Map<string, string>()
  readonly #parts: string[] = []

  /** `folder` is where files are that commands name: it is left out everywhere. Outputs of more than `longestOutput` characters are digests. */
  constructor(folder: string, longestOutput = LONGEST_OUTPUT) {
    this.#folder = `${folder}/`
    this.#longestOutput = longestOutput
  }

  /**
   * Runs a command, such as `pages dump.xml --title '^A b'`, with one job unless it says otherwise. `shown` is how it is written in the text.
   */
  async run(command: string, { input, shown = command }: RunOptions = {}): Promise<Outcome> {
    const args = (command.match(/'[^']*'|\S+/g) ?? []).map((part) => part.replace(/^'(.*)'$/s, '$1'))
    const [name = ''] = args
    const jobs = WITH_JOBS.has(name) && !args.includes('--jobs') ? ['--jobs', '1'] : []
    const outcome = await run([...args, ...jobs], input)
    const { code, stdout, stderr } = outcome
    this.note(`$ xylem ${shown}`)
    this.#addOutput(this.#withoutFolder(stdout), this.#withoutFolder(shown))
    this.#addMessages(this.#withoutFolder(stderr).replace(MEASURED, '$1  …'), this.#withoutFolder(shown))
    if (code !== 0) this.#parts.push(`(exit code ${code})`)
    return outcome
  }

  /** Adds a line. */
  note(text: string): void {
    this.#parts.push(this.#withoutFolder(text))
  }

  /** Adds the content of a file, or anything else that is compared as an output is. */
  add(title: string, content: string): void {
    this.note(title)
    this.#addOutput(this.#withoutFolder(content), title)
  }

  get text(): string {
    return `${this.#parts.join('\n')}\n`
  }

  #addOutput(text: string, title: string): void {
    const output = text.replace(STATE, '')
    const before = this.#outputs.get(output)
    if (before !== undefined && output.length > REPEATED_LINE) {
      this.#parts.push(`(the output of ${before})`)
      return
    }
    if (before === undefined) this.#outputs.set(output, title)
    if (output.length > this.#longestOutput) {
      const lines = output.split('\n').length - 1
      this.#parts.push(`(${Buffer.byteLength(output)} bytes, ${lines} lines, SHA-256 ${digest(output)})`)
      return
    }
    const lines = output.split('\n')
    const last = lines.pop() ?? ''
    this.#parts.push(...lines.map((line) => this.#shorten(line)))
    if (last !== '') this.#parts.push(`${this.#shorten(last)} (no line feed)`)
  }

  #addMessages(messages: string, title: string): void {
    if (messages !== '' && !messages.endsWith('\n')) throw new Error(`a message does not end its line: ${messages}`)
    const before = this.#messages.get(messages)
    if (before !== undefined && messages.length > REPEATED_LINE) this.#parts.push(`! (the messages of ${before})`)
    else for (const line of messages.split('\n').slice(0, -1)) this.#parts.push(`! ${line}`)
    if (before === undefined) this.#messages.set(messages, title)
  }

  #shorten(line: string): string {
    const isRepeated = line.length > REPEATED_LINE && this.#seen.has(line)
    this.#seen.add(line)
    const shown = line.replaceAll('\r', '␍')
    if (!isRepeated && line.length <= LONG_LINE) return shown
    // Not in the middle of a surrogate pair.
    const start = shown.slice(0, SHORTENED).replace(/[\ud800-\udbff]$/, '')
    return `${start}… (${line.length} characters, ${digest(line).slice(0, 16)})`
  }

  #withoutFolder(text: string): string {
    return text.replaceAll(this.#folder, '')
  }
}

export interface RunOptions {
  /** Standard input. */
  readonly input?: string | Uint8Array | readonly Uint8Array[] | undefined
  readonly shown?: string | undefined
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

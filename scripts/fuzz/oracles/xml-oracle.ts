// What expat and libxml2 make of a document, by Python, where that is installed.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** What a program says: why it refuses the document, or null; and what is in it, where the program tells. */
export interface Opinion {
  readonly refused: string | null
  readonly form?: string | null
}

export interface Opinions {
  /** Without namespaces, with the canonical form of what is accepted. */
  readonly expat: Opinion
  readonly expatNs: Opinion
  readonly libxml2?: Opinion
}

export class XmlOracle {
  readonly #process: ChildProcessWithoutNullStreams
  readonly #lines: AsyncIterator<string>
  /** Which programs there are, in words. */
  readonly name: string

  private constructor(process: ChildProcessWithoutNullStreams, lines: AsyncIterator<string>, name: string) {
    this.#process = process
    this.#lines = lines
    this.name = name
  }

  /** Undefined where there is no Python. */
  static async start(): Promise<XmlOracle | undefined> {
    const script = fileURLToPath(new URL('./read-xml.py', import.meta.url))
    const process = spawn('python3', [script], { env: { ...globalThis.process.env, PYTHONIOENCODING: 'utf8' } })
    process.on('error', () => {})
    const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]()
    const first = await lines.next()
    if (first.done) return undefined
    const { expat, libxml2 } = JSON.parse(first.value) as { expat: string; libxml2: boolean }
    return new XmlOracle(process, lines, libxml2 ? `${expat}, libxml2` : expat)
  }

  async ask(document: Uint8Array): Promise<Opinions> {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(document.length)
    this.#process.stdin.write(Buffer.concat([head, document]))
    const { value } = await this.#lines.next()
    return JSON.parse(value as string) as Opinions
  }

  close(): void {
    this.#process.stdin.end()
  }
}

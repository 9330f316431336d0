// Examples in pages of Markdown. They are run as readers run them, and the page is rendered with what they print.

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from './markdown.ts'
import { findReaders } from './python.ts'

/** A command, which may have several lines, and what it prints. */
const COMMAND = /```console\n\$ ((?:[^\n]*\\\n)*[^\n]*)\n(.*?)```/gs
const ERASED: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
}
/** A program, and what it prints. */
const PROGRAM = /```(js|ts|python)\n(.*?)```\n\n```text\n(.*?)```/gs

/** A module of types beside a grammar of fixtures/grammar. */
const TYPES_MODULE = /'\.\/(\w+)\.types\.ts'/g

/** A program of a page, in which modules of types are those of the fixtures. */
export function withTypes(code: string): string {
  return code.replace(TYPES_MODULE, (_, name) => `'${join(root, `fixtures/grammar/${name}/${name}.types.ts`)}'`)
}

/** Examples that are not of one of these forms, and so would not be run. */
export function findOtherExamples(page: string): string[] {
  const rest = page.replace(COMMAND, '').replace(PROGRAM, '')
  return [...rest.matchAll(/^```(?:js|ts|python|console)\n.*?^```$/gms)].map(([block]) => block)
}

export function countExamples(page: string): number {
  return [...page.matchAll(COMMAND), ...page.matchAll(PROGRAM)].length
}

/** Programs that examples use beside Python, and that may not be installed. Without them these examples stay as they are. */
const MISSING = ['unzip'].filter((program) => spawnSync(program, ['-v']).error !== undefined)

/** What only some environments of Python have: `npm run test:engines` runs examples with it. */
const ENGINE = /^from pyspark/m

function needsMissing(example: string, language?: string): boolean {
  const missing =
    language === 'python' && !findReaders() ? language : MISSING.find((program) => example.includes(program))
  if (missing !== undefined) console.warn(`${missing} is not installed: an example was not run`)
  return missing !== undefined
}

/** Runs the examples of pages, in the folder of the project. */
export class ExampleRunner {
  readonly #bin = mkdtempSync(join(tmpdir(), 'xylem-bin-'))
  readonly #engine: string | undefined

  /** `engine`: a Python with pyspark. With it, only examples for that are run; without it, all others. */
  constructor(engine?: string) {
    this.#engine = engine
    mkdirSync(join(root, 'build'), { recursive: true })
    symlinkSync(join(root, 'dist', 'cli', 'main.js'), join(this.#bin, 'xylem'))
    // Does what npx does for `xylem` in the project's folder, without the second that npm takes to start.
    const npx = join(this.#bin, 'npx')
    writeFileSync(npx, '#!/bin/sh\nexec "$@"\n')
    chmodSync(npx, 0o755)
  }

  close(): void {
    rmSync(this.#bin, { recursive: true })
  }

  /** The page with what its examples really print. */
  render(page: string): string {
    return page
      .replace(COMMAND, (all, command: string) => {
        if (this.#engine !== undefined || needsMissing(command)) return all
        return `\`\`\`console\n$ ${command}\n${this.#run('sh', '-c', command)}\`\`\``
      })
      .replace(PROGRAM, (all, language: string, code: string) => {
        const isForEngine = language === 'python' && ENGINE.test(code)
        if (isForEngine !== (this.#engine !== undefined) || (!isForEngine && needsMissing(code, language))) return all
        const python = this.#engine ?? (findReaders() as string)
        const printed = language === 'python' ? this.#run(python, '-c', code) : this.#runProgram(code)
        return `\`\`\`${language}\n${code}\`\`\`\n\n\`\`\`text\n${printed}\`\`\``
      })
  }

  #runProgram(code: string): string {
    const file = join(root, 'build', `example-${process.pid}.mjs`)
    // Types are erased, which is all that TypeScript in examples needs.
    writeFileSync(file, ts.transpileModule(withTypes(code), { compilerOptions: ERASED }).outputText)
    const loader = withTypes(code) === code ? [] : ['--import', 'tsx']
    try {
      // Node 20's V8 can lock up at exit when a thread that compiles wants a garbage collection then.
      return this.#run(process.execPath, '--no-concurrent-recompilation', ...loader, file)
    } finally {
      rmSync(file)
    }
  }

  #run(program: string, ...args: string[]): string {
    const env = {
      ...process.env,
      PATH: `${this.#bin}:${process.env.PATH}`,
      PYTHONPATH: join(root, 'python'),
      XYLEM_NODE: process.execPath,
      ...(this.#engine !== undefined && { PYSPARK_PYTHON: this.#engine, SPARK_LOCAL_IP: '127.0.0.1' }),
    }
    // An input that has ended would end a command with XYLEM_TRAILER.
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    const { stdout, stderr } = spawnSync(program, args, {
      cwd: root,
      encoding: 'utf8',
      env,
      stdio: [...stdio],
      timeout: this.#engine === undefined ? 60_000 : 300_000,
    })
    // Engines say much on standard error. Pages have line feeds alone, also where CSV has CR LF.
    return (this.#engine === undefined ? stdout + stderr : stdout).replaceAll('\r\n', '\n')
  }
}

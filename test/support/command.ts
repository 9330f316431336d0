// Running the built command line as a user does.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

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

/** Runs `xylem` to its end. `input` goes to its standard input. */
export async function run(args: string[], input: Uint8Array | string = ''): Promise<Outcome> {
  const child = start(...args)
  child.stdin.end(input)
  return await finish(child)
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

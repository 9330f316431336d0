// A command of a build as it is measured: a complete process, its output thrown away, or hashed.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { readPeakMemory } from '../xml/peak-memory.ts'

/** Milliseconds between two looks at a process's memory. */
const WATCH_INTERVAL = 20

export interface CommandTiming {
  readonly seconds: number
  /** In MB of 2^20 bytes; undefined if the operating system does not report it. */
  readonly peakMemory: number | undefined
}

/** Runs a command whose output nobody reads. Throws when it is killed, or used wrongly. */
export async function timeCommand(build: string, args: readonly string[]): Promise<CommandTiming> {
  const start = performance.now()
  const child = spawn(process.execPath, [resolve(build, 'cli/main.js'), ...args], { stdio: 'ignore' })
  let peakMemory: number | undefined
  const watch = setInterval(() => {
    peakMemory = (child.pid && readPeakMemory(child.pid)) || peakMemory
  }, WATCH_INTERVAL)
  const [code] = await once(child, 'exit')
  const seconds = (performance.now() - start) / 1000
  clearInterval(watch)
  requireAnswer(args, code)
  return { seconds, peakMemory }
}

/** A digest of what a command prints. */
export async function hashCommand(build: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [resolve(build, 'cli/main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exit = once(child, 'exit')
  const hash = createHash('sha256')
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) hash.update(chunk)
  const [code] = await exit
  requireAnswer(args, code)
  return hash.digest('hex')
}

/** With 1, a command has answered: `--verify` has found differences. */
function requireAnswer(args: readonly string[], code: number | null): void {
  if (code !== 0 && code !== 1) throw new Error(`xylem ${args.join(' ')} ended with ${code}`)
}

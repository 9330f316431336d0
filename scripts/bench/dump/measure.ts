// A command as it is measured: from before its start until it has ended, what it prints thrown away, or counted and hashed.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readPeakMemory } from '../xml/peak-memory.ts'

export interface Command {
  readonly name: string
  readonly file: string
  readonly args: readonly string[]
  /** Those that are no failure (default: 0). */
  readonly exitCodes?: readonly number[]
}

export interface Timing {
  readonly seconds: number
  /** In MB of 2^20 bytes; undefined if the operating system does not report it. */
  readonly peakMemory: number | undefined
}

/** Milliseconds between two looks at a process's memory. */
const WATCH_INTERVAL = 20

/** Runs a command whose output nobody reads. Throws when it fails. */
export async function time(command: Command): Promise<Timing> {
  const { file, args } = command
  const start = performance.now()
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  let peakMemory: number | undefined
  const watch = setInterval(() => {
    peakMemory = (child.pid && readPeakMemory(child.pid)) || peakMemory
  }, WATCH_INTERVAL)
  const [code] = await once(child, 'exit')
  const seconds = (performance.now() - start) / 1000
  clearInterval(watch)
  requireAnswer(command, code)
  return { seconds, peakMemory }
}

function requireAnswer({ name, exitCodes = [0] }: Command, code: number | null): void {
  if (code === null || !exitCodes.includes(code)) throw new Error(`${name} ended with ${code}`)
}

/** What a command prints: how many bytes and lines, and a hash. Throws when it fails. */
export async function inspect(command: Command): Promise<{ bytes: number; lines: number; hash: string }> {
  const child = spawn(command.file, command.args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  const hash = createHash('sha256')
  let bytes = 0
  let lines = 0
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
  }
  const [code] = await exit
  requireAnswer(command, code)
  return { bytes, lines, hash: hash.digest('hex') }
}

/** Milliseconds from the start of a process to the first byte that it prints. It is then ended. */
export async function timeFirstByte({ file, args }: Command): Promise<number> {
  const start = performance.now()
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const milliseconds = performance.now() - start
  child.kill()
  await once(child, 'exit')
  return milliseconds
}

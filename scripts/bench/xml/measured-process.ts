// A complete process as it is measured: from before its start until it has ended.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { readPeakMemory } from './peak-memory.ts'

/** Milliseconds between two looks at a process's memory. */
const WATCH_INTERVAL = 20
/** Characters of the error messages of a process that are shown. */
const LONGEST_COMPLAINT = 300

export interface Outcome {
  readonly seconds: number
  /** What it wrote to its standard output. */
  readonly output: string
  /** In MB of 2^20 bytes, as last seen; undefined if the operating system does not report it. */
  readonly peakMemory: number | undefined
}

/** Runs a command to its end. Throws when it cannot be run or fails, with the beginning of what it complains of. */
export async function measureProcess(command: string, args: readonly string[]): Promise<Outcome> {
  const start = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let peakMemory: number | undefined
  const watch = setInterval(() => {
    peakMemory = (child.pid && readPeakMemory(child.pid)) || peakMemory
  }, WATCH_INTERVAL)
  try {
    const ended = once(child, 'exit').then(([code, signal]) => ({ end: performance.now(), status: signal ?? code }))
    const [{ end, status }, output, complaint] = await Promise.all([
      ended,
      readAll(child.stdout),
      readAll(child.stderr),
    ])
    if (status !== 0) throw new Error(`ended with ${status}: ${shorten(complaint || output)}`)
    return { seconds: (end - start) / 1000, output, peakMemory }
  } finally {
    clearInterval(watch)
  }
}

async function readAll(stream: Readable): Promise<string> {
  let text = ''
  for await (const piece of stream.setEncoding('utf8')) text += piece
  return text
}

/** The line that names the error, where there is one, or else the first: no stack. */
function shorten(complaint: string): string {
  const lines = complaint.split('\n')
  const line = lines.find((text) => /^\s*(\w*Error\b|FATAL)/.test(text)) ?? lines.find((text) => text.trim() !== '')
  return (line ?? 'no message').slice(0, LONGEST_COMPLAINT)
}

/** Whether there is a command of this name. */
export function isInstalled(command: string): boolean {
  return spawnSync(command, ['--help'], { stdio: 'ignore' }).error === undefined
}

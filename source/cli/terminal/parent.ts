// The program that started xylem, where it says so: XYLEM_TRAILER has a mark that it made up. Then the last line on standard error is the mark and
// the outcome as JSON, and xylem ends when the other end of standard input is closed.

import type { Socket } from 'node:net'
import { abortable } from '../../async/waiting.ts'
import { outcome } from './outcome.ts'

/** Milliseconds that a process without a parent has to stop. */
const PATIENCE = 2000
/** Milliseconds between two tries to write to a pipe that is full, and how many there are. */
const PAUSE = 10
const MOST_TRIES = 100

/** The mark of the program that started this process; undefined where it gives none. */
export function markOfParent(): string | undefined {
  return process.env.XYLEM_TRAILER || undefined
}

/** Whether a mark cannot be mistaken for anything else in a line. */
export function isMark(mark: string): boolean {
  return /^[A-Za-z0-9-]+$/.test(mark)
}

/** Returns what writes the last line on standard error, as the process ends: nothing is waited for. Loads what it takes only where it is wanted. */
export async function openTrailer(): Promise<(exitCode: number) => void> {
  const mark = markOfParent()
  if (mark === undefined || !isMark(mark)) return () => {}
  const { writeSync } = await import('node:fs')
  return (exitCode) => writeTrailer(mark, exitCode, writeSync)
}

function writeTrailer(mark: string, exitCode: number, writeSync: typeof import('node:fs').writeSync): void {
  const { error, rows, range, bytes } = outcome()
  const counts = { ...(rows !== undefined && { rows }), bytes }
  const line = `${mark} ${JSON.stringify({ exitCode, ...counts, ...(range && { range }), ...(error && { error }) })}\n`
  let rest = Buffer.from(line)
  for (let tries = 0; rest.length > 0 && tries < MOST_TRIES; tries++) {
    try {
      rest = rest.subarray(writeSync(process.stderr.fd, rest))
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== 'EAGAIN') return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
    }
  }
}

/**
 * Stops this process, like SIGTERM, when the program that started it has closed standard input, or is gone. What that writes is ignored. Without a
 * mark, nobody is watched.
 */
export async function watchParent(): Promise<void> {
  if (markOfParent() === undefined || !(await isHeldOpen())) return
  const stdin = process.stdin as Socket
  stdin.on('error', stop).once('close', stop)
  stdin.resume()
  stdin.unref()
}

/** What was to be done is done, and nobody is watched any more. */
export function leaveParent(): void {
  if (markOfParent() !== undefined) process.stdin.off('close', stop).off('error', stop)
}

function stop(): void {
  process.kill(process.pid, 'SIGTERM')
  // A second signal ends a process that has not stopped.
  setTimeout(() => process.kill(process.pid, 'SIGTERM'), PATIENCE).unref()
}

/** Takes the first line of standard input, without its line feed, and watches the parent from then on. Without a line feed, all of it is the line. */
export async function takeFirstLine(signal: AbortSignal): Promise<string> {
  const chunks = process.stdin.iterator({ destroyOnReturn: false })
  const parts: Buffer[] = []
  for (;;) {
    const { done, value } = await abortable(chunks.next(), signal)
    if (done) break
    const chunk = Buffer.from(value)
    const end = chunk.indexOf('\n')
    parts.push(end === -1 ? chunk : chunk.subarray(0, end))
    if (end === -1) continue
    await chunks.return?.()
    await watchParent()
    break
  }
  return Buffer.concat(parts).toString()
}

/** Whether standard input has another end. Files, devices and terminals say nothing of a program. */
async function isHeldOpen(): Promise<boolean> {
  const { fstatSync } = await import('node:fs')
  const status = fstatSync(process.stdin.fd)
  return status.isFIFO() || status.isSocket()
}

// The most memory that a process has used.

import { readFileSync } from 'node:fs'

/**
 * In MB of 2^20 bytes, of a process that runs; undefined if the operating system does not report it.
 *
 * Linux's figure for the program that runs, and not that of `process.resourceUsage()`, which begins with the peak of the parent.
 */
export function readPeakMemory(process: number | 'self'): number | undefined {
  try {
    const kibibytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${process}/status`, 'utf8'))?.[1]
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024
  } catch {
    return undefined
  }
}

/** Of this process, wherever it runs. */
export function ownPeakMemory(): number {
  return readPeakMemory('self') ?? process.resourceUsage().maxRSS / 1024
}

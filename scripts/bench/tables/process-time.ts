// How long a process takes: by a clock, and of processors.

import { spawnSync } from 'node:child_process'
import type { Command } from '../dump/measure.ts'

export interface ProcessTime {
  readonly elapsed: number
  /** With all of its threads, for itself and for the system. */
  readonly processors: number
}

/** Runs a command in bash, which says what the process took. Throws when it fails. */
export function timeProcess({ name, file, args }: Command): ProcessTime {
  const timed = ['-c', 'TIMEFORMAT="%R %U %S"; time "$0" "$@"', file, ...args]
  const { status, stderr } = spawnSync('bash', timed, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } })
  const [elapsed = Number.NaN, user = 0, system = 0] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`)
  return { elapsed, processors: user + system }
}

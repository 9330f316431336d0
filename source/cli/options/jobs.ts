// How many threads a command uses.

import { availableParallelism } from 'node:os'
import { Option } from 'commander'
import { parsePositive } from './option-values.ts'

/** Threads, unless said otherwise: more than these one reader of the file cannot keep busy. */
const MOST_JOBS = 4

function defaultJobs(): number {
  return Math.min(MOST_JOBS, availableParallelism())
}

/** The option that sets the number. */
export function makeJobs(use = 'use N threads to decompress bzip2', threads = defaultJobs()): Option {
  return new Option('--jobs <n>', use).default(threads).argParser(parsePositive)
}

// Measures all tasks in rounds, with the build and with the one that it is compared with: a machine that is shared drifts, and whose turn was
// when must not decide.

import { runIsolated } from '../isolated.ts'
import type { LibraryAnswer, LibraryJob } from './child.ts'
import { hashCommand, timeCommand } from './command.ts'
import type { InputName } from './inputs.ts'
import type { Task } from './tasks.ts'

/** What was measured: the build itself, or the baseline. */
export type Side = 'own' | 'baseline'

export interface Measured {
  readonly task: string
  readonly side: Side
  /** Of each round. */
  readonly seconds: number[]
  /** The largest, in MB of 2^20 bytes. */
  peakMemory: number | undefined
  /** A digest of what was printed or read. */
  answer: string | undefined
  /** Why nothing was measured. */
  failure: string | undefined
}

export interface RoundOptions {
  readonly rounds: number
  /** Folders of builds. */
  readonly builds: Readonly<Partial<Record<Side, string>>>
  readonly files: Readonly<Record<InputName, string>>
}

export async function measureAll(tasks: readonly Task[], { rounds, builds, files }: RoundOptions): Promise<Measured[]> {
  const sides = Object.entries(builds) as [Side, string][]
  const turns = tasks.map((task) => {
    const isOnlyHere = 'library' in task.does && task.does.isOnlyHere
    const measured = sides.filter(([side]) => side === 'own' || !isOnlyHere)
    return measured.map(([side, build]) => ({
      task,
      build,
      file: files[task.input],
      figures: makeFigures(task, side),
    }))
  })
  for (const turn of turns.flat()) await findAnswer(turn)
  for (let round = 0; round < rounds; round++) {
    for (const ofTask of turns) for (const turn of round % 2 === 0 ? ofTask : ofTask.toReversed()) await measure(turn)
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  return turns.flat().map(({ figures }) => figures)
}

function makeFigures({ name }: Task, side: Side): Measured {
  return { task: name, side, seconds: [], peakMemory: undefined, answer: undefined, failure: undefined }
}

interface Turn {
  readonly task: Task
  readonly build: string
  readonly file: string
  readonly figures: Measured
}

/** What a command prints, which is not read when it is measured. Files are in memory afterwards. */
async function findAnswer({ task: { does }, build, file, figures }: Turn): Promise<void> {
  if ('library' in does) return
  try {
    figures.answer = await hashCommand(build, fillIn(does.command, file))
  } catch (error) {
    figures.failure = (error as Error).message
  }
}

async function measure({ task: { name, does }, build, file, figures }: Turn): Promise<void> {
  if (figures.failure !== undefined) return
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${name}, ${figures.side} …`)
  try {
    if ('command' in does) {
      add(figures, await timeCommand(build, fillIn(does.command, file)))
    } else {
      const job: LibraryJob = { task: does.library, build, file }
      const result = await runIsolated<LibraryAnswer>(new URL('child.ts', import.meta.url), job)
      add(figures, result)
      figures.answer = result.answer
    }
  } catch (error) {
    figures.failure = (error as Error).message
  }
}

function add(figures: Measured, { seconds, peakMemory }: { seconds: number; peakMemory: number | undefined }): void {
  figures.seconds.push(seconds)
  if (peakMemory !== undefined) figures.peakMemory = Math.max(figures.peakMemory ?? 0, peakMemory)
}

function fillIn(command: string, file: string): string[] {
  return command.split(' ').map((part) => (part === 'FILE' ? file : part))
}

// Editing of a large dump, from one file to another, beside a check of it: without a match, and with one field of each page changed.

import { rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MEBIBYTE } from '../corpus.ts'
import { runIsolated } from '../isolated.ts'
import { summarize } from '../report.ts'
import { makeInput } from '../xml/inputs.ts'
import type { EditJob, EditRun, EditWay } from './edits-child.ts'

/** How fast a way is on a document. */
export interface EditFigure {
  readonly document: string
  readonly way: EditWay
  /** Median in 10^6 bytes a second. */
  readonly speed: number
  /** The median of the ratios of our speed to that of a check, of each round. */
  readonly ratio: number | undefined
  /** What the ratio should be at least. */
  readonly mark: number | undefined
  /** Peak memory in MB. */
  readonly memory: number
}

const MARKS: Readonly<Record<EditWay, number | undefined>> = {
  check: undefined,
  'no match': 0.7,
  'a title in each page, at its tags': 0.5,
  'a title in each page, with its text': undefined,
}
const WAYS = Object.keys(MARKS) as EditWay[]

/** Measures all ways in turns, on a document of so many MB. `dump` is a MediaWiki dump whose pages are repeated. */
export async function measureEdits(rounds: number, megabytes: number, dump?: string): Promise<EditFigure[]> {
  const { path } = await makeInput('dump', megabytes * MEBIBYTE, { dump })
  const { size } = await stat(path)
  const output = join(tmpdir(), `xylem-edited-${process.pid}.xml`)
  const runs = new Map<EditWay, EditRun[]>(WAYS.map((way) => [way, []]))
  try {
    for (let round = -1; round < rounds; round++) {
      for (const way of WAYS) {
        const job: EditJob = { way, path, output }
        // To empty a large file takes its time, too.
        await rm(output, { force: true })
        const run = await runIsolated<EditRun>(new URL('edits-child.ts', import.meta.url), job)
        if (way === 'no match' && run.written !== size) throw new Error('a document without a match is not the same')
        if (round >= 0) runs.get(way)?.push(run)
      }
    }
  } finally {
    await rm(output, { force: true })
  }
  const checks = runs.get('check') as EditRun[]
  return Array.from(runs, ([way, taken]): EditFigure => {
    const ratios = taken.map(({ seconds }, i) => (checks[i] as EditRun).seconds / seconds)
    return {
      document: `a dump of ${megabytes} MB`,
      way,
      speed: size / 1e6 / summarize(taken.map(({ seconds }) => seconds)).median,
      ratio: way === 'check' ? undefined : summarize(ratios).median,
      mark: MARKS[way],
      memory: Math.max(...taken.map(({ memory }) => memory)),
    }
  })
}

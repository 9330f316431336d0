// A process that is measured: does one job, answers, and ends. It is compiled first (compile.ts), so that it starts as a program does.

import { findEngine } from './engines.ts'
import { EventStrings } from './event-strings.ts'
import type { Job, JobAnswer } from './job.ts'
import { ownPeakMemory } from './peak-memory.ts'
import { StringDigest } from './string-digest.ts'

const result = await doJob(JSON.parse(process.argv[2] as string) as Job)
const answer: JobAnswer = { ...result, peakMemory: ownPeakMemory() }
console.log(JSON.stringify(answer))

async function doJob({ measure, engine: name, file, kind }: Job): Promise<Omit<JobAnswer, 'peakMemory'>> {
  if (measure === 'first record') {
    const { timeFirstRecord } = await import('./xylem.ts')
    return { firstRecord: await timeFirstRecord(file, kind) }
  }
  const entry = findEngine(name)
  if (!('load' in entry)) throw new Error(`${name} is a command`)
  const engine = await entry.load()
  const digest = new StringDigest()
  if (measure === 'events') await engine.readEvents(file, new EventStrings(digest))
  else if (measure === 'records') await engine.readRecords(file, kind, digest)
  else await engine.check(file)
  return measure === 'check' ? {} : { digest: digest.result }
}

// A process of the benchmark: does its job as often as it is asked to, and answers.

import { answer, peakMemory, readJob } from '../isolated.ts'
import { measureCloning } from './cloning.ts'
import { measureLoop } from './control-loops.ts'
import { measureFairness } from './fairness.ts'
import type { Job } from './job.ts'
import { measurePieces } from './pieces.ts'
import { measureReading } from './reading.ts'

const job = readJob<Job>()
const samples: unknown[] = []
for (let run = 0; run < job.runs; run++) samples.push(await measure(job))
answer({ samples, peakMemory: peakMemory() })

async function measure(job: Job): Promise<unknown> {
  if (job.measure === 'reading') return measureReading(job.name, job.file)
  if (job.measure === 'pieces') return measurePieces(job.name, job.bytes)
  if (job.measure === 'loop') return measureLoop(job.name, job.steps)
  if (job.measure === 'fairness') return measureFairness(job.name, job.bytes)
  if (job.measure === 'cloning') return measureCloning(job.name, job.times)
  return undefined
}

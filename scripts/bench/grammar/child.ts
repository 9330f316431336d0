// A process of the benchmark: does its job as often as it is asked to, and answers.

import { answer, peakMemory, readJob } from '../isolated.ts'
import { makeInputFile } from './inputs.ts'
import type { Job } from './job.ts'
import { measureCompiling, measureParsing, measureSmall } from './parsing.ts'

const job = readJob<Job>()
const samples = await measure(job)
answer({ samples, peakMemory: peakMemory() })

async function measure(job: Job): Promise<object[]> {
  switch (job.measure) {
    case 'making input':
      return [await makeInputFile(job.input, job.size, job.files)]
    case 'recognizing':
    case 'tree':
      return measureParsing(job.measure, job.engine, job.language, job.file, job.runs)
    case 'small':
      return measureSmall(job.engine, job.language, job.text, job.runs)
    case 'compiling':
      return measureCompiling(job.engine, job.runs)
    default: {
      // Loaded here: it loads our engine, which is not to be there when another one is measured.
      const { measureBareReading, measureFirstNode, measurePartialTrees } = await import('./streaming.ts')
      if (job.measure === 'first node') return measureFirstNode(job.language, job.emit, job.text, job.runs)
      if (job.measure === 'partial trees') return measurePartialTrees(job.language, job.emit, job.file, job.runs)
      return measureBareReading(job.file, job.runs)
    }
  }
}

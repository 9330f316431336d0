// A process that prepares what the measured ones need.

import { answer, readJob } from '../isolated.ts'
import type { Preparation } from './job.ts'

answer(await prepare(readJob<Preparation>()))

async function prepare(job: Preparation): Promise<object> {
  if (job.prepare === 'input') {
    const { makeInput } = await import('./inputs.ts')
    return makeInput(job.input, job.size, job.files)
  }
  if (job.prepare === 'lengths') {
    const { keepLengths } = await import('./lengths.ts')
    return { path: await keepLengths(job.file, job.kind) }
  }
  const { compile } = await import('./compile.ts')
  return { path: await compile(new URL('child.ts', import.meta.url)) }
}

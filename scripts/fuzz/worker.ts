// The process that fuzzes one target. It is watched by another one (run.ts), which survives when it hangs or ends.

import process from 'node:process'
import { Random } from '../../test/support/random.ts'
import { saveCase } from './case-file.ts'
import type { Job, Message } from './messages.ts'
import { reduce } from './reduce.ts'
import { caseSeed, judgeCase, type Target } from './target.ts'
import { TARGETS } from './targets/index.ts'

function send(message: Message): void {
  process.send?.(message)
}

async function fuzz({ target: name, seed, first, cases, milliseconds }: Job): Promise<void> {
  const target = TARGETS.find((candidate) => candidate.name === name) as Target
  send({ type: 'opened', oracles: (await target.open?.()) ?? '' })
  const end = performance.now() + milliseconds
  for (let index = first; index < first + cases && performance.now() < end; index++) {
    send({ type: 'begun', index })
    const fuzzCase = target.make(new Random(caseSeed(seed, index)))
    const failure = await judgeCase(target, fuzzCase)
    if (failure === undefined) continue
    const reduced = await reduce(target, fuzzCase, failure)
    const path = await saveCase(name, reduced.failure, `seed ${seed}, case ${index}`, reduced.fuzzCase)
    send({ type: 'failed', index, failure: reduced.failure, path })
  }
  await target.close?.()
  send({ type: 'done' })
}

process.once('message', (job: Job) => {
  fuzz(job).then(
    () => process.disconnect(),
    (error) => {
      console.error(error)
      process.exit(1)
    },
  )
})

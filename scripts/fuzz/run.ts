// npm run fuzz -- [--minutes N] [--seed S] [--target NAMES] [--case N]
//
// Makes cases at random and judges them, for each target in turn. A failure is reduced, saved in fixtures/fuzz/ and printed; the exit code is
// then 1. With the same seed the cases are the same. --case judges one of them alone.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { Random } from '../../test/support/random.ts'
import { saveCase } from './case-file.ts'
import type { Job, Message } from './messages.ts'
import { caseSeed, type Target } from './target.ts'
import { TARGETS } from './targets/index.ts'

/** Milliseconds that a case may take, with what else the machine does; reducing one takes longer. */
const MOST_SILENCE = 120_000

/** What came of fuzzing a target. */
interface Result {
  readonly target: string
  oracles: string
  cases: number
  failures: number
  seconds: number
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    target: { type: 'string' },
    case: { type: 'string' },
  },
})
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const names = values.target?.split(',') ?? TARGETS.map(({ name }) => name)
const unknown = names.find((name) => !TARGETS.some((target) => target.name === name))
if (unknown !== undefined) {
  console.error(`there is no target ${unknown}; there are ${TARGETS.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

const milliseconds = (Number(values.minutes) * 60_000) / names.length
const results: Result[] = []
console.log(`seed ${seed}, ${values.minutes} minutes`)
for (const name of names) {
  const result: Result = { target: name, oracles: '', cases: 0, failures: 0, seconds: 0 }
  results.push(result)
  await fuzz(result)
}
for (const { target, oracles, cases, failures, seconds } of results) {
  const count = `${cases.toLocaleString('en')} cases in ${seconds.toFixed(0)} s`
  console.log(
    `${target.padEnd(12)} ${count}, ${failures} failures${oracles === '' ? '' : `; compared with ${oracles}`}`,
  )
}
process.exitCode = results.some(({ failures }) => failures > 0) ? 1 : 0

/** Runs a target until its time is over, again after each case that has hung or ended the process. */
async function fuzz(result: Result): Promise<void> {
  const start = performance.now()
  let next = values.case === undefined ? 0 : Number(values.case)
  const last = values.case === undefined ? Number.POSITIVE_INFINITY : next
  while (next <= last) {
    const left = milliseconds - (performance.now() - start)
    if (left <= 0) break
    const cases = values.case === undefined ? 2 ** 31 : 1
    const { begun, isDone } = await watch(
      { target: result.target, seed, first: next, cases, milliseconds: left },
      result,
    )
    result.cases += begun - next + 1
    next = begun + 1
    if (isDone) break
    await saveLost(result, begun)
  }
  result.seconds = (performance.now() - start) / 1000
}

/** Starts a process and follows it to its end. Gives the last case that it has begun, and whether it has come to its end by itself. */
async function watch(job: Job, result: Result): Promise<{ begun: number; isDone: boolean }> {
  const child = fork(new URL('./worker.ts', import.meta.url), { stdio: 'inherit' })
  let begun = job.first - 1
  let isDone = false
  let timer = startTimer(child)
  child.on('message', (message: Message) => {
    clearTimeout(timer)
    timer = startTimer(child)
    if (message.type === 'opened') result.oracles = message.oracles
    if (message.type === 'begun') begun = message.index
    if (message.type === 'done') isDone = true
    if (message.type === 'failed') {
      result.failures++
      console.log(`${result.target}, case ${message.index}: ${message.failure}\n  saved as ${message.path}`)
    }
  })
  child.send(job)
  await once(child, 'exit')
  clearTimeout(timer)
  return { begun, isDone }
}

function startTimer(child: ChildProcess): NodeJS.Timeout {
  return setTimeout(() => child.kill('SIGKILL'), MOST_SILENCE)
}

/** Saves a case during which the process hung or ended. It cannot be reduced. */
async function saveLost(result: Result, index: number): Promise<void> {
  result.failures++
  const target = TARGETS.find(({ name }) => name === result.target) as Target
  const fuzzCase = target.make(new Random(caseSeed(seed, index)))
  const path = await saveCase(result.target, 'hang or crash', `seed ${seed}, case ${index}`, fuzzCase)
  console.log(`${result.target}, case ${index}: it hung, or ended the process\n  saved as ${path}`)
}

// Runs that are killed at moments drawn uniformly over the length of a run, and resumed.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { encodeBzip2, makeRandom } from '../support/bzip2-encoder.ts'
import { run } from '../support/command.ts'
import { describeParts, killAfter, type Phase, resume } from '../support/resuming.ts'

const KILLS = 60
const folder = mkdtempSync(join(tmpdir(), 'xylem-'))
afterAll(() => rmSync(folder, { recursive: true }))

test(`a run that is killed ${KILLS} times at any moment, and resumed, makes the same files as one that was not`, async () => {
  const seed = Number(process.env.FC_SEED ?? Date.now() % 2 ** 31)
  console.log(`seed ${seed}`)
  const random = makeRandom(seed)
  const page = (id: number) =>
    `<page><title>Page ${id}</title><id>${id}</id><revision><id>${id}</id><text>${`word${id} `.repeat(1 + ((id * 37) % 90))}</text></revision></page>\n`
  const text = `<mediawiki>\n${Array.from({ length: 300 }, (_, i) => page(i + 1)).join('')}</mediawiki>\n`
  const archive = join(folder, 'dump.bz2')
  writeFileSync(archive, encodeBzip2(Buffer.from(text), { blockSize: 3000 }))
  const args = (parts: string) => ['pages', archive, '--output', parts, '--resume', '--range-size', '500', '--quiet']

  const whole = join(folder, 'whole')
  const start = performance.now()
  await resume(args(whole))
  const duration = performance.now() - start
  const expected = describeParts(whole)
  expect(expected.length).toBeGreaterThan(20)

  const phases: Record<Phase, number> = { nothing: 0, reading: 0, renaming: 0, manifest: 0, finished: 0 }
  let kills = 0
  // Until there were enough, and at least one in each phase.
  while (kills < KILLS || Math.min(phases.reading, phases.renaming, phases.manifest) === 0) {
    const parts = join(folder, `killed-${kills}`)
    phases[await killAfter(random() * duration, args(parts), parts, whole)]++
    kills++
    await resume(args(parts))
    expect(describeParts(parts)).toEqual(expected)
    rmSync(parts, { recursive: true })
    if (kills > 600) throw new Error(`some moments are never hit: ${JSON.stringify(phases)}`)
  }
  console.log(`${kills} kills over ${Math.round(duration)} ms: ${JSON.stringify(phases)}`)
  expect((await run(args(whole))).code).toBe(0)
}, 1_200_000)

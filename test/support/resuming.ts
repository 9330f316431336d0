// Runs of `xylem pages --resume` that are killed, for tests.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run, start } from './command.ts'

/** Names and content of the parts in a folder, and of what says that they are all. */
export function describeParts(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.startsWith('part-') || name === '_SUCCESS')
  return names.sort().map((name) => {
    const hash = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
    return `${name} ${hash}`
  })
}

/** What a killed run has left behind. */
export type Phase = 'nothing' | 'reading' | 'renaming' | 'manifest' | 'finished'

/** Kills a run after so many milliseconds, and says what it was doing. */
export async function killAfter(milliseconds: number, args: string[], folder: string): Promise<Phase> {
  const child = start(...args)
  child.stdout.resume()
  child.stderr.resume()
  const closed = once(child, 'close')
  await Promise.race([sleep(milliseconds), closed])
  child.kill('SIGKILL')
  await closed
  return findPhase(folder)
}

function findPhase(folder: string): Phase {
  if (!existsSync(join(folder, '_manifest'))) return 'nothing'
  if (existsSync(join(folder, '_SUCCESS'))) return 'finished'
  const ids = (names: string[]) => new Set(names.map((name) => /([0-9a-f]{16})/.exec(name)?.[1]))
  const parts = ids(readdirSync(folder).filter((name) => name.startsWith('part-')))
  const manifest = ids(readdirSync(join(folder, '_manifest')))
  if ([...parts].some((id) => !manifest.has(id))) return 'renaming'
  const attempts = existsSync(join(folder, '_attempts')) ? readdirSync(join(folder, '_attempts')) : []
  return attempts.length > 0 ? 'reading' : 'manifest'
}

/** Resumes until it is through. */
export async function resume(args: string[]): Promise<void> {
  const { code, stderr } = await run(args)
  if (code !== 0) throw new Error(`resuming failed with ${code}: ${stderr}`)
}

// Runs of `xylem pages --resume` that are killed, for tests.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
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

/** What a killed run was doing: nothing yet, reading a part, renaming it when it was complete, writing the manifest, or nothing more. */
export type Phase = 'nothing' | 'reading' | 'renaming' | 'manifest' | 'finished'

/** Kills a run after so many milliseconds, and says what it was doing. `whole` is the folder of a run that was not killed. */
export async function killAfter(milliseconds: number, args: string[], folder: string, whole: string): Promise<Phase> {
  const child = start(...args)
  child.stdout.resume()
  child.stderr.resume()
  const closed = once(child, 'close')
  await Promise.race([sleep(milliseconds), closed])
  child.kill('SIGKILL')
  await closed
  return findPhase(folder, whole)
}

function findPhase(folder: string, whole: string): Phase {
  if (!existsSync(join(folder, '_manifest'))) return 'nothing'
  if (existsSync(join(folder, '_SUCCESS'))) return 'finished'
  const idOf = (name: string) => /([0-9a-f]{16})/.exec(name)?.[1] ?? ''
  const isPart = (name: string) => name.startsWith('part-')
  const known = new Set(readdirSync(join(folder, '_manifest')).map(idOf))
  if (readdirSync(folder).some((name) => isPart(name) && !known.has(idOf(name)))) return 'manifest'
  const parts = new Map(
    readdirSync(whole)
      .filter(isPart)
      .map((name) => [idOf(name), statSync(join(whole, name)).size]),
  )
  const attempts = readdirSync(join(folder, '_attempts'))
  const isWhole = (name: string) => statSync(join(folder, '_attempts', name)).size === parts.get(idOf(name))
  return attempts.some(isWhole) ? 'renaming' : 'reading'
}

/** Resumes until it is through. */
export async function resume(args: string[]): Promise<void> {
  const { code, stderr } = await run(args)
  if (code !== 0) throw new Error(`resuming failed with ${code}: ${stderr}`)
}

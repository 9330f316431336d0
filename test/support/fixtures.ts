// The project's own fixtures, and the larger data that may stand beside the project.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isThorough } from './extent.ts'

const root = new URL('../..', import.meta.url)

/** The path of a file in fixtures/. */
export function fixturePath(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, root))
}

/** The bytes of a file in fixtures/. */
export function readFixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(fixturePath(name)))
}

/** The path of a file of the data beside the project, or undefined where there is none. It is large: `npm test` does without. */
export function findSharedData(name: string): string | undefined {
  if (!isThorough) return undefined
  const path = fileURLToPath(new URL(`../shared/data/${name}`, root))
  return existsSync(path) ? path : undefined
}

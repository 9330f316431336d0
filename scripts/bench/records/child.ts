// A process that reads a document once by the library of a build, and reports how long that took.

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { answer, readJob } from '../isolated.ts'
import { ownPeakMemory } from '../xml/peak-memory.ts'
import { StringDigest } from '../xml/string-digest.ts'
import { type Library, type LibraryTaskName, libraryTasks } from './library.ts'

export interface LibraryJob {
  readonly task: LibraryTaskName
  /** The folder of the build. */
  readonly build: string
  readonly file: string
}

export interface LibraryAnswer {
  readonly seconds: number
  readonly peakMemory: number
  readonly answer: string
}

answer(await measure(readJob<LibraryJob>()))

async function measure({ task, build, file }: LibraryJob): Promise<LibraryAnswer> {
  const load = (name: string) => import(pathToFileURL(resolve(build, name)).href)
  const library = { ...(await load('xml.js')), ...(await load('node.js')) } as Library
  const digest = new StringDigest()
  const read = libraryTasks[task](library, file, digest)
  const start = performance.now()
  await read()
  const seconds = (performance.now() - start) / 1000
  return { seconds, peakMemory: ownPeakMemory(), answer: JSON.stringify(digest.result) }
}

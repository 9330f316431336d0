// How the bytes of parts are made. Plans fix it where other versions make other bytes, so that parts which are written twice are the same.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type FormatName, findFormat } from '../../record/format/index.ts'
import { UsageError } from '../errors/errors.ts'

/** The encodings in which this process can write parts of a format, by the codecs that they stand for. The usual one is the first; formats with one encoding have none. */
export async function findEncodings(name: FormatName): Promise<ReadonlyMap<string, string>> {
  const { title, module } = findFormat(name)
  const { codecs = [], package: maker } = (await module.load()).format
  const made = maker === undefined ? '' : `, ${maker} ${versionOf(maker, title)}`
  return new Map(codecs.map((codec) => [codec + made, codec]))
}

/** The codec of an encoding. Throws a `UsageError` for one in which this process cannot write. */
export async function codecOf(name: FormatName, encoding: string | undefined): Promise<string | undefined> {
  if (encoding === undefined) return undefined
  const encodings = await findEncodings(name)
  const codec = encodings.get(encoding)
  if (codec !== undefined) return codec
  throw new UsageError(
    `the plan is for parts in ${name} by ${encoding}, but here they are written by ${[...encodings.keys()].join(' or ')}; ` +
      'install the versions of the plan, or create the plan again',
  )
}

function versionOf(maker: string, title: string): string {
  try {
    const path = fileURLToPath(import.meta.resolve(maker))
    const folder = path.slice(0, path.lastIndexOf(maker) + maker.length)
    return JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).version
  } catch {
    throw new UsageError(
      `${title} is written by the package ${maker}, which is not installed; run: npm install ${maker}`,
    )
  }
}

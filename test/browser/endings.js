// Ways to end a reading before its end. Each gives what a signal's reason was, if there is one.

import { readDump } from '/dist/mediawiki.js'
import { makeTransform } from '/dist/stream.js'
import { readXml } from '/dist/xml.js'

export async function leave(url) {
  const { body } = await fetch(url)
  for await (const _ of readXml(body).records('page', { id: 'id' })) break
}

export async function signal(url) {
  const { body } = await fetch(url)
  const abort = new AbortController()
  try {
    for await (const _ of readXml(body, { signal: abort.signal }).records('page', { id: 'id' })) abort.abort('enough')
  } catch (reason) {
    return reason
  }
}

export async function pipe(url) {
  const { body } = await fetch(url)
  const reader = body.pipeThrough(makeTransform((source) => readXml(source).records('page', { id: 'id' }))).getReader()
  await reader.read()
  await reader.cancel()
}

export async function dispose(url) {
  const { body } = await fetch(url)
  const dump = readDump(body)
  await dump.siteInfo
  await dump.close()
}

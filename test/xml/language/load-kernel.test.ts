// Files of the built package, so it is what is tested here: by programs of their own, since kernels are loaded once.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findExport } from '../../support/exported-file.ts'
import { sample } from '../../support/extent.ts'
import { root } from '../../support/markdown.ts'
import { isDeno } from '../../support/runtime.ts'

const read = (file: string): Buffer => readFileSync(findExport(`xylem/${file}`))

/** Prints why each URL leads to no kernel. */
const REFUSALS = `
  import { loadKernel } from 'xylem/xml'
  for (const url of process.argv.slice(1)) await loadKernel(url).catch(({ message, code }) => console.log(code, message))`

/** Reads a document of 200 kB in a way, with or without a kernel from a URL. Prints what it has found, and how many large kernels were compiled of bytes. */
const READING = `
  import { loadKernel, readXml } from 'xylem/xml'
  const [url, way] = process.argv.slice(1)
  if (url) await loadKernel(url)
  // From here on: what requests take of WebAssembly is not counted.
  const { Module } = WebAssembly
  let compiled = 0
  WebAssembly.Module = class extends Module {
    constructor(bytes) {
      super(bytes)
      if (bytes.length > 35_000) compiled++
    }
    static customSections = Module.customSections
  }
  const items = Array.from({ length: 10_000 }, (_, i) => '<a n="' + i + '">x</a>')
  const reader = readXml('<r>' + items.join('') + '</r>')
  let found = 0
  if (way === 'records') for await (const { n } of reader.records('a', { n: '@n' })) found += Number(n)
  else for await (const { attributes } of reader.select('a')) found += Number(attributes.get('n'))
  console.log(found, compiled)`

// Deno has no option for programs that are modules.
describe.skipIf(isDeno)('loadKernel', () => {
  const server = createServer((request, response) => {
    const file = request.url?.slice(1) ?? ''
    if (file === 'missing') response.writeHead(404).end()
    else if (file === 'text') response.end('no kernel')
    else if (file === 'other') response.end(Buffer.from('0061736d01000000', 'hex'))
    else if (file === 'changed') response.end(changeVersion(read('records.wasm')))
    else
      response
        .setHeader('content-type', decodeURIComponent(file.split('?')[1] ?? 'application/wasm'))
        .end(read(file.replace(/\?.*/, '')))
  })
  let url = ''
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  async function run(program: string, ...parameters: string[]): Promise<string> {
    const all = ['--input-type=module', '-e', program, ...parameters]
    const { stdout } = await promisify(execFile)(process.execPath, all, { cwd: root })
    return stdout.trimEnd()
  }

  const SUM = (10_000 * 9_999) / 2

  test.each(['records', 'elements'])('is not needed for %s to be read', async (way) => {
    expect(await run(READING, '', way)).toBe(`${SUM} 1`)
  })

  test.each(
    sample(
      [
        ['records', 'records.wasm'],
        ['records', 'records.wasm?text/plain'],
        ['records', 'records.wasm?application/wasm;charset=utf-8'],
        ['elements', 'elements.wasm'],
      ] as const,
      2,
    ),
  )('lets %s be read by a kernel that is served (%s)', async (way, file) => {
    expect(await run(READING, `${url}/${file}`, way)).toBe(`${SUM} 0`)
  })

  test('refuses what is not a kernel of this version', async () => {
    const refused = [
      ['missing', 'could not be loaded'],
      ['text', 'could not be loaded'],
      ['other', 'is not a kernel of this version of xylem'],
      ['changed', 'is not a kernel of this version of xylem'],
    ] as const
    const lines = (await run(REFUSALS, ...refused.map(([path]) => `${url}/${path}`))).split('\n')
    const wanted = refused.map(([, message]) => expect.stringMatching(`^module-unavailable .*${message}`))
    expect(lines).toEqual(wanted)
  })
})

/** The same kernel, said to be made for other code. */
function changeVersion(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  copy[copy.length - 1] = (copy[copy.length - 1] as number) ^ 1
  return copy
}

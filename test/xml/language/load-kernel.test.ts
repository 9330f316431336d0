// Files of the built package, so it is what is tested here: by programs of their own, since kernels are loaded once.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findExport } from '../../support/exported-file.ts'
import { root } from '../../support/markdown.ts'
import { isDeno } from '../../support/runtime.ts'

const read = (file: string): Buffer => readFileSync(findExport(`xylem/${file}`))

/** Reads a document of 200 kB in a way, with or without a kernel from a URL. Prints what it has found, and how many large kernels were compiled of bytes. */
const PROGRAM = `
  import { loadKernel, readXml } from 'xylem/xml'
  const [url, way] = process.argv.slice(1)
  if (url) await loadKernel(url).catch(({ message, code }) => {
    console.error(message, code)
    process.exit(1)
  })
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

  async function run(path: string | undefined, way: string): Promise<string> {
    const parameters = ['--input-type=module', '-e', PROGRAM, path === undefined ? '' : `${url}/${path}`, way]
    const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: root })
    return stdout.trimEnd()
  }

  const SUM = (10_000 * 9_999) / 2

  test.each(['records', 'elements'])('is not needed for %s to be read', async (way) => {
    expect(await run(undefined, way)).toBe(`${SUM} 1`)
  })

  test.each([
    ['records', 'records.wasm'],
    ['records', 'records.wasm?text/plain'],
    ['records', 'records.wasm?application/wasm;charset=utf-8'],
    ['elements', 'elements.wasm'],
  ])('lets %s be read by a kernel that is served (%s)', async (way, file) => {
    expect(await run(file, way)).toBe(`${SUM} 0`)
  })

  test.each([
    ['missing', 'could not be loaded'],
    ['text', 'could not be loaded'],
    ['other', 'is not a kernel of this version of xylem'],
    ['changed', 'is not a kernel of this version of xylem'],
  ])('refuses what is not a kernel of this version (%s)', async (path, message) => {
    const { stderr } = (await run(path, 'records').catch((error) => error)) as { stderr: string }
    expect(stderr).toContain(message)
    expect(stderr).toContain('module-unavailable')
  })
})

/** The same kernel, said to be made for other code. */
function changeVersion(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  copy[copy.length - 1] = (copy[copy.length - 1] as number) ^ 1
  return copy
}

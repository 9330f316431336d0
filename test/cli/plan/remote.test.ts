// Plans of what servers have, and their ranges.

import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run } from '../../support/command.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { readFixture } from '../../support/fixtures.ts'
import { RangeServer, type RangeServerOptions } from '../../support/range-server.ts'
import { compress, encode } from '../../support/xml-ranges.ts'

const EACH = ['--each', 'row', '--field', 'id:integer=@Id']
const rows = Array.from({ length: 200 }, (_, i) => `<row Id="${i}">${'x'.repeat(i % 9)}</row>\n`).join('')
const document = `<posts>\n${rows}</posts>\n`

let folder = ''
let servers: RangeServer[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-remote-'))
  const files: Record<string, string | Uint8Array> = {
    'rows.xml': document,
    'rows.xml.bz2': compress(encode(document), 300),
    'rows.xml.gz': gzipSync(document),
    'pages.xml.bz2': compress(readFixture('mediawiki/small-dump.xml'), 400),
  }
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content)
    utimesSync(join(folder, name), 1e9, 1e9)
  }
})
afterEach(() => {
  for (const server of servers) server.close()
  servers = []
  rmSync(folder, { recursive: true })
})

async function serve(options: RangeServerOptions = {}): Promise<{ address: string; server: RangeServer }> {
  const server = new RangeServer(folder, options)
  servers.push(server)
  return { address: await server.listen(), server }
}

async function makePlan(...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await run(['plan', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('error') })
  return stdout.trimEnd().split('\n')
}

/** What ranges give together. */
async function readAll([, ...lines]: readonly string[]): Promise<string> {
  let text = ''
  for (const line of lines) {
    const { code, stdout, stderr } = await run(['read', line])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    text += stdout.replace(/[^\n]*\n$/, '')
  }
  return text
}

describe('a plan of a URL', () => {
  for (const name of ['rows.xml', 'rows.xml.bz2', 'rows.xml.gz', 'pages.xml.bz2']) {
    test.runIf(isThorough)(`gives the ranges and the records of the file: ${name}`, async () => {
      const { address } = await serve()
      const asked = name.startsWith('rows') ? EACH : []
      for (const cuts of sample([['--cuts', 'guessed'], ['--cuts', 'verified'], []], name.endsWith('.bz2') ? 1 : 3)) {
        const options = [...asked, '--ranges', '4', ...cuts]
        const plan = await makePlan(`${address}/${name}`, ...options)
        const local = await makePlan(join(folder, name), ...options)
        // What belongs to the request alone says nothing of the file.
        const signed = await makePlan(`${address}/${name}?signature=a/b`, ...options)
        const idsOf = ([, ...lines]: readonly string[]) => lines.map((line) => JSON.parse(line).id)
        expect(idsOf(plan)).toEqual(idsOf(local))
        expect(idsOf(signed)).toEqual(idsOf(local))
        expect(plan).toHaveLength(name.endsWith('.gz') ? 2 : 5)
        expect(await readAll(plan)).toBe(await readAll(local))
      }
    })
  }

  test('reads at a cut what is needed, and of each range no more than it has to', async () => {
    const { address, server } = await serve()
    const plan = await makePlan(`${address}/rows.xml`, ...EACH, '--ranges', '4', '--cuts', 'guessed')
    const starts = plan.slice(2).map((line) => JSON.parse(line).start)
    const size = Buffer.byteLength(document)
    for (const start of starts) expect(server.asked).toContain(`bytes=${start}-${size - 1}`)
    expect(server.asked).not.toContain('all')
    server.asked.length = 0
    const { start } = JSON.parse(plan[3] as string)
    await readAll([plan[0] as string, plan[3] as string])
    expect(server.asked).toContain(`bytes=${start}-`)
    expect(server.asked.length).toBeLessThan(7)
  })

  test.each(sample(['tags', 'times', 'both', 'nothing'] as const, 2))(
    'is of no use when the content has changed, if the server sends %s',
    async (says) => {
      const { address } = await serve({ says })
      const url = `${address}/rows.xml`
      const plan = await makePlan(url, ...EACH, '--ranges', '3')
      const expected = await readAll(plan)
      // Its time alone says nothing.
      utimesSync(join(folder, 'rows.xml'), 1.1e9, 1.1e9)
      expect(await readAll(plan)).toBe(expected)
      writeFileSync(join(folder, 'rows.xml'), document.replace('Id="1"', 'Id="7"'))
      expect(await run(['read', plan[2] as string])).toEqual({
        code: 4,
        stdout: '',
        stderr: `xylem: ${url}: the file has changed since the plan was created\n`,
      })
    },
  )

  test('is of no use when the content changes while a range is read', async () => {
    const { address, server } = await serve()
    const plan = await makePlan(`${address}/rows.xml`, ...EACH, '--ranges', '3')
    let requests = 0
    server.onRequest = () => {
      if (++requests === 3) writeFileSync(join(folder, 'rows.xml'), document.replace('Id="1"', 'Id="7"'))
    }
    const { code, stderr } = await run(['read', plan[2] as string])
    expect(code).toBe(4)
    expect(stderr).toMatch(/^xylem: .*rows\.xml(:| ).*changed/)
  })

  test('of a server without ranges is one error, and so is that of a file that it has not', async () => {
    const { address } = await serve({ ranges: false })
    const url = `${address}/rows.xml`
    expect(await run(['plan', url, ...EACH])).toEqual({
      code: 5,
      stdout: '',
      stderr: `xylem: ${url}: asked for bytes=0-0, the server does not support ranges: it answers 200 OK\n`,
    })
    expect(await run(['plan', `${address}/none.xml`])).toEqual({
      code: 5,
      stdout: '',
      stderr: `xylem: ${address}/none.xml: the server answers 404 Not Found\n`,
    })
  })

  test('of a server that is gone is an error after which a retry can succeed', async () => {
    const { address, server } = await serve()
    const plan = await makePlan(`${address}/rows.xml`, ...EACH)
    server.close()
    expect(await run(['read', plan[1] as string])).toMatchObject({ code: 5, stdout: '' })
  })

  test('keeps no cuts that were verified, and says what they cost', async () => {
    const { address } = await serve()
    const args = [`${address}/rows.xml`, ...EACH, '--ranges', '4', '--cuts', 'verified']
    for (let i = 0; i < 2; i++)
      expect((await run(['plan', ...args])).stderr).toMatch(
        /rows\.xml: the cuts were verified by reading [\d,]+ bytes in \d\.\d s\n$/,
      )
  })
})

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readXml } from 'xylem/xml/streaming'
import type { PickedShape } from '../../../playground/explorer/protocol.ts'
import { toPath, toShape } from '../../../playground/explorer/worker/document/record-reading.ts'
import { Structure } from '../../../playground/explorer/worker/document/structure.ts'
import { showCommand } from '../../../playground/explorer/xml/command-line.ts'
import { proposeShape } from '../../../playground/explorer/xml/picked-shape.ts'
import { collectAll } from '../../support/collect.ts'
import { isThorough, sample } from '../../support/extent.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-command-'))
  symlinkSync(join(root, 'dist/cli/main.js'), join(folder, 'xylem'))
  // Does what npx does for `xylem`, without npm.
  writeFileSync(join(folder, 'npx'), '#!/bin/sh\nexec "$@"\n')
  chmodSync(join(folder, 'npx'), 0o755)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The records that a shell prints for the command that is shown for a file of this name, or for standard input. What is absent is null on the command line. */
function run(shape: PickedShape, name: string | undefined, document: Uint8Array): unknown[] {
  if (name !== undefined) writeFileSync(join(folder, name), document)
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
  const printed = execFileSync('sh', ['-c', showCommand(shape, name)], {
    cwd: folder,
    env,
    encoding: 'utf8',
    input: name === undefined ? document : '',
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const withoutNull = (_: string, value: unknown) => value ?? undefined
  return printed
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line, withoutNull))
}

function readRecords(shape: PickedShape, document: Uint8Array): Promise<unknown[]> {
  return collectAll<unknown>(readXml(document).records(toPath(shape), toShape(shape)))
}

test.each(sample(['map.osm', 'feed.rss', 'feed.atom', 'Posts.xml', 'junit.xml'], 2))(
  'the command that is shown prints the records of %s that are proposed',
  async (name) => {
    const document = readFileSync(join(root, 'fixtures/recipes', name))
    const structure = new Structure(1000)
    for await (const events of readXml(document).events().batches()) for (const event of events) structure.add(event)
    const record = structure.pick(structure.likelyRecord as number)
    const shape = proposeShape(record as NonNullable<typeof record>)
    const records = await readRecords(shape, document)
    expect(records.length).toBeGreaterThan(1)
    expect(run(shape, name, document)).toEqual(records)
  },
)

test.runIf(isThorough)('it does so for every name of a file and of a field', async () => {
  const document = Buffer.from(
    '<r xmlns:d="d"><a x.y="1" é="2"><b-c>3</b-c><d:e>4</d:e>5</a><a><b-c>6</b-c><b-c>7</b-c></a></r>',
  )
  const field = (name: string, path: string, isList = false) => ({ name, path, isList })
  const fields = [
    field('x.y', '@x.y'),
    field('é', '@é'),
    field('b-c', 'b-c', true),
    field('d_e', 'd:e'),
    field('text', '.'),
  ]
  const shape = { record: 'r/a', fields }
  const records = await readRecords(shape, document)
  for (const name of [
    "it's $(touch x) `y`.xml",
    '-f.xml',
    'a "b" \\.xml',
    'c*[1]?.xml',
    '@d.xml',
    '#e;&.xml',
    'two\nlines.xml',
    undefined,
  ]) {
    expect(run(shape, name, document)).toEqual(records)
  }
})

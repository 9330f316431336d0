// The pages about the house: one that shows all of it, and one for each room.

import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { linksOf, readPage, roomPages, root } from '../support/markdown.ts'

/** What is generated, and needs no page. */
const GENERATED = ['grammars', 'html-entities', 'generated']
const HOUSE = 'ARCHITECTURE.md'

const roomsIn = (folder: string) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && !GENERATED.includes(entry.name) ? [`${folder}/${entry.name}`] : [],
  )
/** All files, as a path ends that names one of them. */
const files = ['source', 'test', 'scripts', 'playground', 'python']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => !path.includes('node_modules'))
  .map((path) => `/${path.replaceAll('\\', '/')}`)

test('one page shows all of the house, and is short', () => {
  expect(readPage(HOUSE).split('\n').length).toBeLessThanOrEqual(250)
})

test.each([
  [HOUSE, 'source'],
  ['source/xml/README.md', 'source/xml'],
])('%s leads to the page of every room in %s', (page, folder) => {
  const rooms = roomsIn(folder).map((room) => `${room}/README.md`)
  expect(rooms.length).toBeGreaterThan(10)
  const found = linksOf(readPage(page)).map((target) => join(dirname(page), target))
  expect(found).toEqual(expect.arrayContaining(rooms))
})

test.each([HOUSE, ...roomPages])('%s names only files that are there', (page) => {
  const names = [...readPage(page).matchAll(/`((?:[\w.-]+\/)*[\w-]+\.(?:ts|py|mjs|bnf))`/g)].map(
    ([, name]) => `/${name}`,
  )
  const missing = names.filter((name) => !files.some((file) => file.endsWith(name)))
  expect(missing).toEqual([])
})

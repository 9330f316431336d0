import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('../../build/playground/', import.meta.url)
const root = new URL('../../', import.meta.url)

interface DocsPage {
  readonly name: string
  readonly title: string
  readonly html: string
}

const file = readdirSync(folder).find((name) => /^docs-\w+\.json$/.test(name)) ?? ''
const pages: readonly DocsPage[] = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))

test('the page has every page of the documentation, the changes and the licence', () => {
  const names = readdirSync(new URL('docs', root)).flatMap((name) => /^([a-z]+)\.md$/.exec(name)?.[1] ?? [])
  expect(pages.map(({ name }) => name)).toEqual(['', 'readme', ...names, 'changes', 'licence'])
  for (const { html } of pages) expect(html).toContain('<h1')
})

test('links between pages of the documentation lead to pages and headings that are there', () => {
  const wrong: string[] = []
  for (const page of pages) {
    for (const [, address = ''] of page.html.matchAll(/href="#docs\/?([^"]*)"/g)) {
      const [name, anchor] = address.split('/')
      const to = pages.find((each) => each.name === name)
      if (!to || (anchor !== undefined && !to.html.includes(`id="docs-${anchor}"`)))
        wrong.push(`${page.name}: ${address}`)
    }
  }
  expect(wrong).toEqual([])
})

test('the first screen says what xylem is, and its version and licence as in package.json', () => {
  const { version, license } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  const html = readFileSync(new URL('index.html', folder), 'utf8')
  expect(html).toContain('<p class="tagline">A parser for XML and grammars')
  expect(html).toContain(`>Version ${version}</a>`)
  expect(html).toContain(`>${license} licence</a>`)
})

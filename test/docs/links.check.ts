import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anchorsOf, linksOf, pages, readPage, root } from '../support/markdown.ts'

const links = pages.flatMap((from) => linksOf(readPage(from)).map((target) => ({ from, target })))
const relative = links.filter(({ target }) => !/^[a-z]+:/.test(target))

describe('links in the documentation', () => {
  test('are found', () => {
    expect(relative.length).toBeGreaterThan(20)
    expect(links.length).toBeGreaterThan(relative.length)
  })

  test.each(relative)('$from: $target leads somewhere', ({ from, target }) => {
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? from : join(dirname(from), path)
    expect(existsSync(join(root, file)), file).toBe(true)
    expect(path.endsWith('/')).toBe(path !== '' && statSync(join(root, file)).isDirectory())
    if (anchor !== undefined) expect(anchorsOf(readPage(file))).toContain(anchor)
  })

  test.each(pages)('every page of docs/ is linked from the start page: %s', (path) => {
    if (path === 'README.md' || path === 'docs/README.md') return
    expect(linksOf(readPage('docs/README.md')).map((target) => target.split('#')[0])).toContain(
      path.slice('docs/'.length),
    )
  })
})

// The documentation as the page shows it: every page of it in HTML, with links that lead from one to the other.

import { readdir, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { Marked } from 'marked'

const root = new URL('../..', import.meta.url)

/** Pages that stand first or last, and are not in the folder docs/. */
const FIRST = [
  { name: '', path: 'docs/README.md', title: 'Contents' },
  { name: 'readme', path: 'README.md', title: 'First steps' },
]
const LAST = [
  { name: 'changes', path: 'CHANGELOG.md', title: 'Changes' },
  { name: 'licence', path: 'LICENSE', title: 'Licence' },
]

/** An array of `{ name, title, html }`, as `playground/docs/index.ts` reads it. */
export async function renderDocs() {
  const names = (await readdir(new URL('docs/', root))).filter((file) => /^[a-z]+\.md$/.test(file))
  const middle = names.map((file) => ({ name: file.replace('.md', ''), path: `docs/${file}`, title: undefined }))
  const pages = await Promise.all(
    [...FIRST, ...middle, ...LAST].map(async (page) => ({
      ...page,
      text: await readFile(new URL(page.path, root), 'utf8'),
    })),
  )
  return pages.map((page) => ({
    name: page.name,
    title: page.title ?? /^# (.*)$/m.exec(page.text)?.[1].replaceAll('`', '') ?? page.name,
    html: page.path === 'LICENSE' ? renderLicence(page.text) : render(page, pages),
  }))
}

function renderLicence(text) {
  return `<h1>Licence</h1>${text
    .trim()
    .split('\n\n')
    .map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`)
    .join('')}`
}

/** A corner of a table, which names nothing. */
const EMPTY_HEADER = /<th(?: [^>]*)?>\s*<\/th>/g

function render(page, pages) {
  const taken = new Map()
  const marked = new Marked({
    renderer: {
      heading(text, level, raw) {
        return `<h${level} id="docs-${nameHeading(raw, taken)}">${text}</h${level}>`
      },
      link(href, _title, text) {
        const address = findAddress(href, page, pages)
        return address === undefined ? text : `<a href="${escapeHtml(address)}">${text}</a>`
      },
      // Pictures stay with the source.
      image: () => '',
      code(text) {
        return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`
      },
      table(head, body) {
        return `<div class="docs-table" tabindex="0"><table class="table"><thead>${head.replaceAll(EMPTY_HEADER, '<td></td>')}</thead><tbody>${body}</tbody></table></div>`
      },
    },
  })
  return marked.parse(page.text).replaceAll(/<p>\s*<\/p>/g, '')
}

/** Where a link leads in the page; undefined if that is not a part of it. */
function findAddress(href, from, pages) {
  if (/^https?:/.test(href)) return href
  const [path, anchor] = href.split('#')
  const wanted = path === '' ? from.path : posix.normalize(posix.join(posix.dirname(from.path), path))
  const page = pages.find((each) => each.path === wanted)
  if (!page) return undefined
  if (anchor === undefined) return page.name === '' ? '#docs' : `#docs/${page.name}`
  return `#docs/${page.name}/${anchor}`
}

/** The anchor of a heading, as hosts of repositories make it. */
function nameHeading(text, taken) {
  const name = text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
  const count = taken.get(name) ?? 0
  taken.set(name, count + 1)
  return count === 0 ? name : `${name}-${count}`
}

function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

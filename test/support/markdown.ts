// The pages of the documentation: their prose, links and headings.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the project, with a slash at the end. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The README and all pages in docs/, by their paths in the project. */
export const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
]

/** The pages of the rooms of the source. */
export const roomPages = readdirSync(join(root, 'source'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('README.md'))
  .map((path) => `source/${path.replaceAll('\\', '/')}`)

/** The pages for those who look closer, which have no examples that are run. */
export const otherPages = [
  ...[
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'python/README.md',
    'python/CONTRIBUTING.md',
  ],
  ...['playground/README.md', 'scripts/build/README.md', 'scripts/fuzz/README.md'],
  ...roomPages,
]

export function readPage(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** The text with its lines, but without blocks of code, code in a line, and the targets of links. */
export function proseOf(page: string): string {
  return page
    .replace(/^```.*?^```$/gms, (block) => block.replace(/[^\n]/g, ''))
    .replace(/<code>.*?<\/code>/g, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/\]\([^)\n]*\)/g, ']')
}

/** The targets of links and pictures. */
export function linksOf(page: string): string[] {
  const text = page.replace(/^```.*?^```$/gms, '')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/\b(?:src|href)="([^"]+)"/g)]
  return links.map(([, target]) => target as string)
}

/** What GitHub calls the headings in links. */
export function anchorsOf(page: string): string[] {
  const headings = page.replace(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

// The project's files for pages of tests: what is built, fixtures, and the modules of pages in test/browser/.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.html': 'text/html',
  '.xml': 'application/xml',
  '.map': 'application/json',
}

/** Answers with a file, or at `/` with a page that loads nothing. `more` answers what it knows before that, and says whether it did. */
export function serveProject(
  more: (...request: Parameters<RequestListener>) => boolean = () => false,
): RequestListener {
  return async (request, response) => {
    if (more(request, response)) return
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname)
    if (path === '/') {
      response.setHeader('content-type', 'text/html').end('<!doctype html><meta charset="utf-8"><title>xylem</title>')
      return
    }
    const file = join(root, path)
    const isServed = /^\/(?:dist|fixtures|test\/browser)\//.test(path) && existsSync(file)
    if (!isServed) return void response.writeHead(404).end()
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream').end(await readFile(file))
  }
}

// Answers requests with the files of a folder, and with nothing that is outside of it.

import { readFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

/** The folder has no folders in it. Browsers may keep all files but pages. */
export function serveFolder(folder, policy) {
  return async (request, response) => {
    try {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost')
      const file = join(folder, decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname))
      if (dirname(file) !== folder) throw new Error('there are no folders')
      const body = await readFile(file)
      response.writeHead(200, {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'cache-control': extname(file) === '.html' ? 'no-cache' : 'max-age=31536000, immutable',
      })
      response.end(body)
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' })
      response.end('there is no such file\n')
    }
  }
}

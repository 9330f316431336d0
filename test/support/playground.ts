// The page as it was built, served on this machine. `npm test` builds it.

import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PageServer, startServer } from './browser.ts'

const folder = fileURLToPath(new URL('../../build/playground', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** The headers that docs/browser.md proposes for a server. */
export const headers = readHeaders()

export interface Serving {
  /** In place of those of the documentation. */
  readonly headers?: Readonly<Record<string, string>>
  /** Hears of each request. */
  onRequest?(request: IncomingMessage): void
}

/** Serves `build/playground/` on a free port, at a path that is not the root of the server. */
export async function servePlayground(serving: Serving = {}): Promise<PageServer> {
  if (!existsSync(join(folder, 'index.html'))) throw new Error('build the page first: npm run playground')
  const server = await startServer(async (request, response) => {
    serving.onRequest?.(request)
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const [, path] = /^\/some\/path\/([\w.-]*)$/.exec(pathname) ?? []
    const name = path === '' ? 'index.html' : (path ?? '..')
    try {
      const body = await readFile(join(folder, name))
      response.writeHead(200, {
        'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
        ...(serving.headers ?? headers),
        ...(name === 'index.html' && { 'cache-control': 'no-cache' }),
      })
      response.end(body)
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' })
      response.end('there is no such file\n')
    }
  })
  return { url: `${server.url}some/path/`, close: () => server.close() }
}

function readHeaders(): Readonly<Record<string, string>> {
  const page = readFileSync(new URL('../../docs/browser.md', import.meta.url), 'utf8')
  const [, lines = ''] = /```text\n(Content-Security-Policy: .*?)```/s.exec(page) ?? []
  return Object.fromEntries(
    [...lines.matchAll(/^([\w-]+): (.*)$/gm)].map(([, name = '', value = '']) => [name.toLowerCase(), value]),
  )
}

// The page as it was built, served on this machine. `npm test` builds it.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PageServer, startServer } from './browser.ts'

const folder = fileURLToPath(new URL('../../build/playground', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** Serves `build/playground/` on a free port, at a path that is not the root of the server. */
export async function servePlayground(): Promise<PageServer> {
  if (!existsSync(join(folder, 'index.html'))) throw new Error('build the page first: npm run playground')
  const server = await startServer(async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    const [, path] = /^\/some\/path\/([\w.-]*)$/.exec(pathname) ?? []
    const name = path === '' ? 'index.html' : (path ?? '..')
    try {
      const body = await readFile(join(folder, name))
      response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' })
      response.end(body)
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' })
      response.end('there is no such file\n')
    }
  })
  return { url: `${server.url}some/path/`, close: () => server.close() }
}

// A process of its own that serves a document, and the files of a folder: `server.ts FOLDER DOCUMENT SMALL`. It prints its address.

import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const [folder = '', document = '', small = ''] = process.argv.slice(2)
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html', '.wasm': 'application/wasm' }

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const file = pathname === '/document' ? document : pathname === '/small' ? small : join(folder, pathname.slice(1))
  if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end()
  response.writeHead(200, {
    'content-type': TYPES[extname(pathname)] ?? 'application/octet-stream',
    'content-length': statSync(file).size,
    'cache-control': 'no-store',
  })
  createReadStream(file, { highWaterMark: 1024 * 1024 }).pipe(response)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))

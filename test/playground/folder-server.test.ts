import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { serveFolder } from '../../scripts/build/folder-server.mjs'
import { startServer } from '../support/browser.ts'

test('a folder is served, nothing outside of it, and no request ends the server', async () => {
  const around = mkdtempSync(join(tmpdir(), 'xylem-'))
  const folder = join(around, 'page')
  mkdirSync(folder)
  writeFileSync(join(around, 'secret.txt'), 'secret')
  writeFileSync(join(folder, 'index.html'), '<p>page</p>')
  const server = await startServer(serveFolder(folder, "default-src 'none'"))
  onTestFinished(() => server.close())
  const ask = async (path: string) => {
    const [response] = (await once(request(server.url, { path }).end(), 'response')) as [IncomingMessage]
    return { status: response.statusCode, headers: response.headers, body: await text(response) }
  }
  for (const path of ['/%', '//', '/%00', '/../secret.txt', '/..%2fsecret.txt', '/%2e%2e/secret.txt', '/.', '/nothing'])
    expect([path, (await ask(path)).body]).toEqual([path, path === '/.' ? '<p>page</p>' : 'there is no such file\n'])
  const { status, headers, body } = await ask('/')
  expect([status, body]).toEqual([200, '<p>page</p>'])
  expect(headers).toMatchObject({ 'content-security-policy': "default-src 'none'", 'cache-control': 'no-cache' })
})

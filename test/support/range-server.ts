// A server of the files of a folder that sends ranges of bytes, or does not.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export interface RangeServerOptions {
  /** Whether ranges are sent (default: true). */
  ranges?: boolean
  /** What it says of its files: entity tags, times, or nothing (default: both). */
  says?: 'tags' | 'times' | 'both' | 'nothing'
}

export class RangeServer {
  readonly #server: Server
  readonly #options: RangeServerOptions
  /** The ranges that were asked for. */
  readonly asked: string[] = []
  /** Called before each answer. */
  onRequest: () => void = () => {}

  constructor(folder: string, options: RangeServerOptions = {}) {
    this.#options = options
    this.#server = createServer((request, response) => {
      this.onRequest()
      const { range } = request.headers
      this.asked.push(range ?? 'all')
      const path = join(folder, new URL(request.url ?? '/', 'http://localhost').pathname)
      if (!existsSync(path)) return void response.writeHead(404, 'Not Found').end()
      const content = readFileSync(path)
      const { ranges = true, says = 'both' } = this.#options
      const { mtime } = statSync(path)
      if (says === 'tags' || says === 'both') response.setHeader('ETag', `"${content.length}-${+mtime}"`)
      if (says === 'times' || says === 'both') response.setHeader('Last-Modified', mtime.toUTCString())
      const [, first = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
      if (first === '' || !ranges)
        return void response.writeHead(200, { 'Content-Length': content.length }).end(content)
      const end = Math.min(content.length, last === '' ? content.length : Number(last) + 1)
      if (Number(first) >= content.length)
        return void response.writeHead(416, { 'Content-Range': `bytes */${content.length}` }).end()
      response.writeHead(206, { 'Content-Range': `bytes ${first}-${end - 1}/${content.length}` })
      response.end(content.subarray(Number(first), end))
    })
  }

  /** Its address, as soon as it listens. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await new Promise((resolve) => this.#server.once('listening', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

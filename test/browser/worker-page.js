// Runs the program of workers on a page, which has put the library together in its own way.

import { run } from './worker-program.js'

/** Files lie beside the folders of pages. */
const url = (file) => new URL(`/files/${file}`, location.href)
const get = async (file) => new Uint8Array(await (await fetch(url(file))).arrayBuffer())

export function start(library) {
  const given = new URLSearchParams(location.search).has('urls')
  const urls = given
    ? { blockUrl: '/files/block-worker.js', xmlUrl: new URL('/files/xml-worker.js', location.href) }
    : {}
  globalThis.results = run(library, { get, url, ...urls })
  globalThis.library = library
}

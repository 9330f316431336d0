// What pages with workers do, however they were bundled: every result is reported, to be compared with that of Node.

/** Gives workers time to start: until they are there, the page does their work. */
async function* withPause(bytes) {
  const half = bytes.length >> 1
  yield bytes.slice(0, half)
  await new Promise((resolve) => setTimeout(resolve, 700))
  yield bytes.slice(half)
}

async function sum(chunks) {
  const blob = new Blob(await collect(chunks))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()))
  return `${blob.size} ${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

async function collect(items) {
  const collected = []
  for await (const item of items) collected.push(item)
  return collected
}

async function fail(items) {
  try {
    await collect(items)
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

const SHAPE = {
  title: 'title',
  id: { path: 'id', as: 'integer' },
  revisions: [{ of: 'revision', fields: { id: { path: 'id', as: 'integer' }, text: 'text' } }],
}

/** `get` gets the bytes of a file; `url` is where it is. */
export function makeScenarios({ decompress, readXmlInWorker, XmlError }, { get, url, blockUrl, xmlUrl }) {
  const open = (source, options) => readXmlInWorker(source, { workerUrl: xmlUrl, ...options })
  return {
    async blocks() {
      return sum(decompress(withPause(await get('many.bz2')), { threads: 2, workerUrl: blockUrl }))
    },
    async 'records of compressed bytes'() {
      return collect(open(await get('dump.xml.bz2'), { decompress: true }).records('page', SHAPE))
    },
    async 'records of a stream'() {
      const stream = new Blob([await get('dump.xml')]).stream()
      return collect(open(stream).records('page', SHAPE, { where: { title: { matches: 'a' } } }))
    },
    async 'lines of a Blob'() {
      return sum(open(new Blob([await get('dump.xml')])).write('csv', 'page', SHAPE))
    },
    async 'columns of a URL'() {
      const batches = await collect(open(url('dump.xml')).columns('page', SHAPE, { rows: 4 }))
      return batches.map(({ rows, columns }) => ({ rows, types: columns.map(({ type, name }) => `${name}: ${type}`) }))
    },
    async 'many records'() {
      const records = await collect(open(url('many.xml')).records('a', { n: { path: '@n', as: 'integer' }, t: '.' }))
      return { length: records.length, sum: records.reduce((all, { n, t }) => all + n + t.length, 0) }
    },
    async 'an error in the document'() {
      const error = await fail(open('<r>\n<a>x</a>\n<b></r>').records('a', { text: '.' }))
      const { name, code, line, column, byteOffset, message, excerpt } = error
      return { isXmlError: error instanceof XmlError, name, code, line, column, byteOffset, message, excerpt }
    },
    async 'an invalid path'() {
      const error = await fail(open('<r/>').records('a', { text: ':::' }))
      return { isRangeError: error instanceof RangeError, code: error.code, message: error.message }
    },
  }
}

export async function run(library, place) {
  const results = {}
  for (const [name, scenario] of Object.entries(makeScenarios(library, place))) {
    try {
      results[name] = await scenario()
    } catch (error) {
      results[name] = { failed: String(error.stack ?? error) }
    }
  }
  return results
}

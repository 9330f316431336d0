// dumpster-dip's reader on a dump, alone: what one of its workers does before it looks at wikitext. One line of JSON a page.
//
//   node scripts/bench/dump/dumpster.mjs DUMP.xml
//
// It is no dependency of ours: npm install --no-save dumpster-dip
import { once } from 'node:events'
import process from 'node:process'

const { default: readWiki } = await import(
  import.meta.resolve('dumpster-dip').replace(/src\/.*$/, 'src/worker/01-reader.js')
)
let text = ''
await readWiki({ file: process.argv[2], index: 0, workers: 1 }, ({ pageID, namespace, title, wiki }) => {
  // What is after the last page is given as one, too.
  if (title === undefined) return
  text += `${JSON.stringify({ id: pageID, ns: namespace, title, text: wiki })}\n`
  if (text.length < 65536) return
  process.stdout.write(text)
  text = ''
})
if (!process.stdout.write(text)) await once(process.stdout, 'drain')

// A program that reads one small document: `first-document.mjs xylem|saxes FILE`.

import { readFileSync } from 'node:fs'

const [name, file] = process.argv.slice(2)
const text = readFileSync(file, 'utf8')
if (name === 'xylem') {
  const { parseXml } = await import('../../../dist/xml.js')
  if (parseXml(text).root.name !== 'feed') process.exitCode = 1
} else {
  const { SaxesParser } = await import('saxes')
  let root
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', (tag) => {
    root ??= tag
  })
  parser.write(text).close()
  if (root.name !== 'feed') process.exitCode = 1
}

// A page that shows the first record of a dump, by saxes.

import { SaxesParser } from 'saxes'

const { body } = await fetch('/document')
if (!body) throw new Error('there is no document')
const reader = body.pipeThrough(new TextDecoderStream()).getReader()
const parser = new SaxesParser({ xmlns: true })
let [open, title, isDone] = ['', '', false]
parser.on('opentag', ({ name }) => {
  open = name
})
parser.on('text', (text) => {
  if (open === 'title' && !isDone) title += text
})
parser.on('closetag', ({ name }) => {
  open = ''
  if (name === 'page' && !isDone) {
    isDone = true
    window.document.title = `${performance.now()} ${title}`
  }
})
for (let { value } = await reader.read(); value !== undefined && !isDone; { value } = await reader.read()) {
  parser.write(value)
}
await reader.cancel()

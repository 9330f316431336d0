// A page that shows the first record of a dump, by xylem.

import { readXml } from 'xylem/xml/streaming'

const { body } = await fetch('/document')
if (!body) throw new Error('there is no document')
for await (const { title } of readXml(body).records('page', { title: 'title' })) {
  window.document.title = `${performance.now()} ${title}`
  break
}

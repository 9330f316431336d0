// Mutated documents, read by xylem and by saxes: the verdict and the content are the same where both claim the same. The seed is printed
// when it is not; XYLEM_MUTANTS sets how many there are.

import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { parseXml, readXml, XmlError } from '../../source/xml/index.ts'
import type { XmlNode } from '../../source/xml/tree/element.ts'
import { isThorough } from '../support/extent.ts'
import { mutate, PLAIN_DOCUMENTS } from '../support/mutants.ts'
import { Random } from '../support/random.ts'

const encoder = new TextEncoder()
const MUTANTS = Number(process.env.XYLEM_MUTANTS ?? (isThorough ? 4000 : 60))
const SEED = Number(process.env.XYLEM_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** What is in a document, or that it is refused. */
function byXylem(text: string): string {
  try {
    return describe(parseXml(encoder.encode(text)).root)
  } catch (error) {
    if (error instanceof XmlError) return 'refused'
    throw error
  }
}

function describe(node: XmlNode): string {
  if (node.type === 'text') return `"${node.text}"`
  if (node.type === 'comment') return `<!--${node.text}-->`
  if (node.type === 'instruction') return `<?${node.target} ${node.data}?>`
  const attributes = node.attributes.details.map(({ name, namespace, value }) => `${name} ${trim(namespace)} ${value}`)
  return `<${node.name} ${trim(node.namespace)} ${attributes.sort().join()}>${node.children.map(describe).join('')}</>`
}

/** saxes takes white space off the ends of the names of namespaces; the specification does not. */
function trim(namespace = ''): string {
  return namespace.trim()
}

function bySaxes(text: string): string {
  const parser = new SaxesParser({ xmlns: true })
  let content = ''
  let depth = 0
  let pending = ''
  const flush = () => {
    if (pending !== '' && depth > 0) content += `"${pending}"`
    pending = ''
  }
  parser.on('error', (error) => {
    throw error
  })
  parser.on('text', (piece) => {
    pending += piece
  })
  parser.on('cdata', (piece) => {
    pending += piece
  })
  parser.on('opentag', ({ name, uri, attributes }) => {
    flush()
    depth++
    const all = Object.values(attributes).map((attribute) => {
      // saxes has no namespace for "xmlns" alone.
      const uri = attribute.name === 'xmlns' ? 'http://www.w3.org/2000/xmlns/' : attribute.uri
      return `${attribute.name} ${uri} ${attribute.value}`
    })
    content += `<${name} ${uri} ${all.sort().join()}>`
  })
  parser.on('closetag', () => {
    flush()
    depth--
    content += '</>'
  })
  parser.on('comment', (piece) => {
    flush()
    if (depth > 0) content += `<!--${piece}-->`
  })
  parser.on('processinginstruction', ({ target, body }) => {
    flush()
    if (depth > 0) content += `<?${target} ${body}?>`
  })
  try {
    parser.write(text).close()
    return content
  } catch {
    return 'refused'
  }
}

/** What saxes is known to see otherwise, where we keep to the specification. */
function isKnownDifference(text: string): boolean {
  // Document types, encodings, versions (what is not written 1.0 is XML 1.1 for saxes), colons and question marks in targets, local names
  // that begin like no name, and namespaces whose names are blank.
  return (
    text.includes('<!DOCTYPE') ||
    /encoding="(?!UTF-8")/.test(text) ||
    /version\s*=\s*(["'])(?!1\.0\1)/.test(text) ||
    /<\?[^\s?]*(?::|\?(?!>))/.test(text) ||
    /<\?xml/.test(text.slice(1)) ||
    /:[-.\d]|xmlns:\w+\s*=\s*(["'])\s+\1/.test(text)
  )
}

test(`${MUTANTS} mutants are what saxes says they are (seed ${SEED})`, { timeout: 600_000 }, async () => {
  const random = new Random(SEED)
  let refused = 0
  for (let i = 0; i < MUTANTS; i++) {
    const text = mutate(random, PLAIN_DOCUMENTS)
    const ours = byXylem(text)
    if (ours === 'refused') refused++
    const checked = await readXml([encoder.encode(text)])
      .check()
      .then(() => true)
      .catch(() => false)
    expect(checked, `seed ${SEED}, mutant ${i}: check of ${JSON.stringify(text)}`).toBe(ours !== 'refused')
    if (isKnownDifference(text)) continue
    expect(ours, `seed ${SEED}, mutant ${i}: ${JSON.stringify(text)}`).toBe(bySaxes(text))
  }
  // Only many are sure to be of both kinds.
  if (MUTANTS < 1000) return
  expect(refused).toBeGreaterThan(MUTANTS / 10)
  expect(refused).toBeLessThan(MUTANTS)
})

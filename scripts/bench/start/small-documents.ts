// Small documents, and what reads them to trees: ours, ours by events, and saxes.

import { SaxesParser } from 'saxes'
import { parseXml, readXml, type XmlElement } from 'xylem/xml'

/** An element: its name, attributes and children. */
type Tree = [name: string, attributes: Record<string, string>, children: (Tree | string)[]]

const PIECE =
  '  <entry id="7" kind="note"><title>Number 7</title><body>Some text &amp; more of it, all in all.</body></entry>\n'

/** By their sizes in bytes, about. */
export const documents: Readonly<Record<number, string>> = {
  88: '<feed><entry id="1"><title>One</title><body>Some text, and no more.</body></entry></feed>',
  2000: `<feed>\n${PIECE.repeat(18)}</feed>`,
  20000: `<feed>\n${PIECE.repeat(180)}</feed>`,
}

/** They give how many elements, attributes and units of text the tree has that they have made. */
export const readers: Readonly<Record<string, (text: string) => unknown>> = {
  parseXml: (text) => countElement(parseXml(text).root),
  events: async (text) => {
    const builder = new TreeBuilder()
    for await (const events of readXml(text).events().batches()) {
      for (const event of events) {
        if (event.type === 'start') builder.start(event.name, Object.fromEntries(event.attributes))
        else if (event.type === 'end') builder.end()
        else if (event.type === 'text') builder.text(event.text)
      }
    }
    return countTree(builder.root)
  },
  saxes: (text) => {
    const builder = new TreeBuilder()
    const parser = new SaxesParser({ xmlns: true })
    parser.on('opentag', ({ name, attributes }) => {
      builder.start(name, Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value])))
    })
    parser.on('closetag', () => builder.end())
    parser.on('text', (piece) => builder.text(piece))
    parser.on('error', (error) => {
      throw error
    })
    parser.write(text).close()
    return countTree(builder.root)
  },
}

class TreeBuilder {
  root: Tree | undefined
  readonly #open: Tree[] = []

  start(name: string, attributes: Record<string, string>): void {
    const element: Tree = [name, attributes, []]
    this.#open.at(-1)?.[2].push(element)
    this.root ??= element
    this.#open.push(element)
  }

  end(): void {
    this.#open.pop()
  }

  text(text: string): void {
    this.#open.at(-1)?.[2].push(text)
  }
}

type Counts = [elements: number, attributes: number, units: number]

function countTree(tree: Tree | undefined): Counts {
  const counts: Counts = [0, 0, 0]
  const add = ([, attributes, children]: Tree) => {
    counts[0]++
    counts[1] += Object.keys(attributes).length
    for (const child of children) {
      if (typeof child === 'string') counts[2] += child.length
      else add(child)
    }
  }
  if (tree) add(tree)
  return counts
}

function countElement(root: XmlElement): Counts {
  const counts: Counts = [0, 0, 0]
  const add = ({ attributes, children }: XmlElement) => {
    counts[0]++
    counts[1] += attributes.size
    for (const child of children) {
      if (child.type === 'text') counts[2] += child.text.length
      else if (child.type === 'element') add(child)
    }
  }
  add(root)
  return counts
}

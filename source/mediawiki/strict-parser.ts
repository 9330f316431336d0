// The sax package, made strict, and its faults as errors that know where they are.

import sax, { type SAXParser } from 'sax'

/** What is wrong in an XML text. */
export class XmlFault extends Error {
  /** Index in the text in UTF-16 units, from 0. */
  readonly index: number

  constructor(message: string, index: number) {
    super(message)
    this.index = index
  }
}

/**
 * A parser that knows no entities but XML's own, and throws an `XmlFault` from `write` and `close` at the first fault. The index is
 * that in all that was written.
 */
export function makeStrictParser(): SAXParser {
  // strictEntities is missing in the typings.
  const options: { strictEntities: boolean } & sax.SAXOptions = { strictEntities: true }
  const parser = new sax.SAXParser(true, options)
  parser.onerror = (error) => {
    // Lines after the first tell the place, relative to what sax was given.
    const [message = 'the XML is not well-formed'] = error.message.split('\n')
    throw new XmlFault(message, Math.max(0, parser.position - 1))
  }
  return parser
}

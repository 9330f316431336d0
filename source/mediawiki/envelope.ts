// What is around the pages of a dump: the root element with the site's description before them, white space between them, and
// the end tag.

import { makeStrictParser, XmlFault } from './strict-parser.ts'

const ROOT = 'mediawiki'
// Pages are cut out before; what comes here is one in a form that is not looked for.
const PAGE = 'page'
const NOT_A_DUMP = 'this is not a MediaWiki dump'

/** Checks a dump without its pages. Faults are `XmlFault`s with the index in the text written last. */
export class Envelope {
  readonly #sax = makeStrictParser()
  #depth = 0
  #hasRoot = false
  /** UTF-16 units written before the last text. */
  #written = 0

  constructor() {
    this.#sax.onopentag = ({ name }) => {
      const fault = this.#findFault(name)
      if (fault) throw new XmlFault(fault, this.#sax.position - 1)
      this.#hasRoot = true
      this.#depth++
    }
    this.#sax.onclosetag = () => {
      this.#depth--
    }
  }

  /** Whether pages may stand here: directly in the root. */
  get isInRoot(): boolean {
    return this.#depth === 1
  }

  write(text: string): void {
    try {
      this.#sax.write(text)
    } catch (error) {
      throw error instanceof XmlFault ? this.#describe(error) : error
    }
    this.#written += text.length
  }

  /** Throws unless the document is complete. */
  end(): void {
    if (!this.#hasRoot) throw new XmlFault(`${NOT_A_DUMP}: it ends before <${ROOT}>`, 0)
    if (this.#depth > 0) throw new XmlFault(`the input ends before </${ROOT}>: it is incomplete`, 0)
    this.write('')
  }

  /** What is wrong with an element that opens here. */
  #findFault(name: string): string | undefined {
    if (!this.#hasRoot && name !== ROOT && name !== PAGE) return `${NOT_A_DUMP}: its root is <${name}>, not <${ROOT}>`
    if (this.#hasRoot && this.#depth === 0) return 'a second root element begins'
    if (name === PAGE) return 'this page does not begin with <page>, as it does in dumps'
    return undefined
  }

  #describe(fault: XmlFault): XmlFault {
    const isKnown = this.#hasRoot || fault.message.startsWith(NOT_A_DUMP)
    return new XmlFault(isKnown ? fault.message : `${NOT_A_DUMP}: ${fault.message}`, fault.index - this.#written)
  }
}

// Mutated documents, read by xylem, by xmllint and by xmlwf: the verdict is the same, and so is the canonical form that xmlwf writes.

import { expect } from 'vitest'
import { readXml, XmlError, type XmlOptions } from '../../source/xml/index.ts'
import { canonicalForm } from '../conformance/canonical-form.ts'
import { DOCUMENTS_WITH_TYPES, mutate, PLAIN_DOCUMENTS } from '../support/mutants.ts'
import { Random } from '../support/random.ts'
import { byXmllint, byXmlwf, type Verdict } from '../support/xml-commands.ts'

/** Documents that a program is given at once. */
const encoder = new TextEncoder()
const BATCH = 500
const DOCUMENTS = [...PLAIN_DOCUMENTS, ...DOCUMENTS_WITH_TYPES]

interface Command {
  readonly read: (documents: readonly string[]) => Verdict[]
  readonly options: XmlOptions
  /** What it is known to see otherwise, where we keep to the specification. */
  readonly isKnownDifference: (text: string, refusal: XmlError | undefined, theirs: Verdict) => boolean
}

export const COMMANDS: Readonly<Record<string, Command>> = {
  xmllint: {
    read: byXmllint,
    options: { namespaces: true },
    isKnownDifference: (text, refusal, { message = '' }) => {
      // It wants names of namespaces to be URIs, entities to be declared also where they may be so outside of the document, and the first parameter
      // entity that is referred to (without external declarations it need not be declared: XML 1.0, section 4.1, is then about validity alone); it takes
      // any version, what stands directly after <!DOCTYPE for its name, a subset after its end, and colons anywhere in names that are declared.
      if (!refusal) {
        const isOfName = /is not a valid URI|PEReference: %[^;]*; not found/.test(message)
        return isOfName || (/not defined/.test(message) && /PUBLIC|SYSTEM/.test(text))
      }
      return (
        ['malformed-declaration', 'qualified-name', 'unknown-encoding'].includes(refusal.code) ||
        /<!DOCTYPE(\S|[^>[]*>\[)/.test(text)
      )
    },
  },
  xmlwf: {
    read: byXmlwf,
    options: { namespaces: false },
    // It takes any version, knows fewer names of encodings, and names as the fourth edition has them: without U+FFFD and what is after it.
    isKnownDifference: (text, refusal, { message = '' }) => {
      if (refusal) return refusal.code === 'malformed-declaration'
      return message === 'unknown encoding' || (/invalid token/.test(message) && hasLateName(text))
    },
  },
}

/** Whether a code point from U+FFFD on stands between `<` and `>`, and not in quotes: in names since the fifth edition. */
function hasLateName(text: string): boolean {
  return /<[^<>]*[\u{FFFD}-\u{10FFFF}]/u.test(text.replace(/"[^"]*"|'[^']*'/g, ''))
}

/** The canonical form, or why the document is refused. */
async function readCanonical(text: string, options: XmlOptions): Promise<string | XmlError> {
  try {
    return await canonicalForm(
      readXml([encoder.encode(text)], options)
        .events()
        .batches(),
    )
  } catch (error) {
    if (error instanceof XmlError) return error
    throw error
  }
}

export async function compareWith(name: string, count: number, seed: number): Promise<void> {
  const { read, options, isKnownDifference } = COMMANDS[name] as Command
  const random = new Random(seed)
  for (let done = 0; done < count; done += BATCH) {
    const texts = Array.from({ length: Math.min(BATCH, count - done) }, () => mutate(random, DOCUMENTS))
    const verdicts = read(texts)
    for (const [i, text] of texts.entries()) {
      const ours = await readCanonical(text, options)
      const theirs = verdicts[i] as Verdict
      const refusal = typeof ours === 'string' ? undefined : ours
      const where = `seed ${seed}, mutant ${done + i}: ${JSON.stringify(text)} (${refusal?.message}; ${theirs.message})`
      if ((refusal !== undefined) !== theirs.isRefused)
        expect(isKnownDifference(text, refusal, theirs), where).toBe(true)
      // What stands before the root is left out of ours.
      else if (theirs.canonical !== undefined) expect(theirs.canonical.endsWith(ours as string), where).toBe(true)
    }
  }
}

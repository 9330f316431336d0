// XML documents, by every way there is to read them, complete and cut, and by expat and libxml2.

import { LimitError } from '../../../source/stream/errors.ts'
import {
  parseXml,
  readXml,
  type SelectOptions,
  type XmlElement,
  XmlError,
  type XmlOptions,
} from '../../../source/xml/index.ts'
import { canonicalForm, formOfElement } from '../../../test/conformance/canonical-form.ts'
import { drain } from '../../../test/support/collect.ts'
import { cutAtRandom } from '../cuts.ts'
import { makeDocument } from '../documents.ts'
import { isKnownDifference, type Opinion } from '../oracles/known-differences.ts'
import { PythonOracle } from '../oracles/python-oracle.ts'
import type { FuzzCase, Target } from '../target.ts'

/** What reading a document has given. */
interface Outcome {
  /** The canonical form of what is in it, as far as the way gives it. */
  readonly form?: string | undefined
  /** What is wrong with it, with its place. */
  readonly error?: string | undefined
  readonly code?: string | undefined
}

/** What expat and libxml2 say of a document. */
interface Opinions {
  /** Without namespaces, with the canonical form of what is accepted. */
  readonly expat: Opinion
  readonly expatNs: Opinion
  readonly libxml2?: Opinion
}

let oracle: PythonOracle<Opinions, { expat: string; libxml2: boolean }> | undefined

async function attempt(read: () => Promise<string | undefined> | string | undefined): Promise<Outcome> {
  try {
    return { form: await read() }
  } catch (error) {
    if (!(error instanceof XmlError || error instanceof LimitError)) throw error
    const { message, code, byteOffset, line, column } = error
    return { error: `${code} ${message} ${byteOffset} ${line}:${column}`, code }
  }
}

/** The root, which of all elements is the last that ends. */
async function selectRoot(
  chunks: Uint8Array[],
  options: XmlOptions,
  path: string,
  nested: SelectOptions['nested'],
): Promise<string | undefined> {
  let root: XmlElement | undefined
  for await (const element of readXml(chunks, options).select(path, { nested })) root = element
  return root && formOfElement(root)
}

/** Each way, complete and cut; of those that give no canonical form only errors are compared. */
function waysOf(
  bytes: Uint8Array,
  seed: number,
  options: { namespaces: boolean },
): [name: string, outcome: Promise<Outcome>][] {
  const ways: [string, Promise<Outcome>][] = [['parseXml', attempt(() => formOfElement(parseXml(bytes, options).root))]]
  for (const [name, chunks] of [
    ['', [bytes]],
    [' cut', cutAtRandom(bytes, seed)],
  ] as const) {
    const source = () => chunks.map((chunk) => chunk.slice())
    ways.push([
      `check${name}`,
      attempt(() =>
        readXml(source(), options)
          .check()
          .then(() => undefined),
      ),
    ])
    ways.push([`events${name}`, attempt(() => canonicalForm(readXml(source(), options).events().batches()))])
    ways.push([`select${name}`, attempt(() => selectRoot(source(), options, '/*', 'outermost'))])
    ways.push([`select all${name}`, attempt(() => selectRoot(source(), options, '*', 'all'))])
    for (const [path, nested] of [
      ['/*', 'outermost'],
      ['*', 'all'],
    ] as const) {
      const records = readXml(source(), options).records(path, { all: '.', inner: ['**/b'] }, { nested })
      ways.push([`records of ${nested}${name}`, attempt(() => drain(records).then(() => undefined))])
    }
  }
  return ways
}

async function judge({ parts: [bytes = new Uint8Array()], settings }: FuzzCase): Promise<string | undefined> {
  const reference: Outcome[] = []
  for (const namespaces of [true, false]) {
    const options = { namespaces }
    const expected = await attempt(() => canonicalForm(readXml([bytes.slice()], options).events().batches()))
    reference.push(expected)
    for (const [name, outcome] of waysOf(bytes, settings.cuts as number, options)) {
      const { form, error } = await outcome
      if (error !== expected.error) return `${name} and events give other errors: ${error} / ${expected.error}`
      if (form === undefined || error !== undefined) continue
      // What comes after the root is in the events alone.
      if (!(expected.form ?? '').startsWith(form))
        return `${name} and events give other content: ${form} / ${expected.form}`
    }
  }
  return oracle ? compareWithOracles(bytes, reference as [Outcome, Outcome], await oracle.ask(bytes)) : undefined
}

function compareWithOracles(
  bytes: Uint8Array,
  [withNamespaces, without]: [Outcome, Outcome],
  { expat, expatNs, libxml2 }: Opinions,
): string | undefined {
  const opinions = [
    ['expat', without, expat],
    ['expat with namespaces', withNamespaces, expatNs],
    ...(libxml2 ? [['libxml2', withNamespaces, libxml2] as const] : []),
  ] as const
  for (const [name, ours, theirs] of opinions) {
    if (isKnownDifference(name, bytes, ours, theirs)) continue
    const isRefused = ours.error !== undefined
    if (isRefused !== (theirs.refused !== null)) return `${name} decides otherwise: ${theirs.refused} / ${ours.error}`
    if (theirs.form && ours.form !== theirs.form) return `${name} reads other content: ${theirs.form} / ${ours.form}`
  }
  return undefined
}

export const xml: Target = {
  name: 'xml',
  async open() {
    oracle = await PythonOracle.start('./read-xml.py')
    if (!oracle) return 'its own ways alone: there is no Python'
    const { expat, libxml2 } = oracle.greeting
    return libxml2 ? `${expat} and libxml2` : expat
  },
  make(random) {
    const cuts = random.below(2 ** 31)
    return { parts: [makeDocument(random)], settings: { cuts } }
  },
  judge,
  close: async () => oracle?.close(),
}

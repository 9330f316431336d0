// Runs of tags that came before, which the kernels of compiled programs know again: documents of records, against the plain engine.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findRuns } from '../../scripts/kernels/find-runs.ts'
import { makeKernelEngine } from '../../source/machine/run/kernel-engine.ts'
import { DEFAULT_LIMITS } from '../../source/machine/run/limits.ts'
import { Machine } from '../../source/machine/run/machine.ts'
import { readXml, type XmlOptions } from '../../source/xml/index.ts'
import { isThorough, range, sample } from '../support/extent.ts'
import { cutsOf } from '../support/machine.ts'
import { getProgram, kernels } from '../support/programs.ts'
import { parameters } from '../support/property.ts'
import { piecesOf, read, readPieces } from '../support/xml.ts'

const encode = (text: string) => new TextEncoder().encode(text)

const RECORD = '  <page>\n    <t>one &amp; two</t>\n    <r>\n      <id>1</id>\n      <c/><é></é>\n    </r>\n  </page>\n'
const document = (records: string) => `<d xmlns:p="u">\n${records}</d>`

/** What `check` and `events` say, with the error and its place. */
async function readBoth(pieces: readonly Uint8Array[], options: XmlOptions) {
  const { events, places, error } = await readPieces(pieces, options)
  const checked = await readXml(pieces, options)
    .check()
    .catch((fault: unknown) => fault)
  return { events, places, faults: [error, checked].map(describeFault) }
}

function describeFault(fault: unknown): object | undefined {
  if (!(fault instanceof Error)) return undefined
  const { message, code, byteOffset, line, column, excerpt } = fault as Error & Record<string, unknown>
  return { message, code, byteOffset, line, column, excerpt }
}

async function compare(pieces: readonly Uint8Array[], options: XmlOptions = {}): Promise<void> {
  const expected = await readBoth(pieces, { ...options, engine: 'plain' })
  expect(await readBoth(pieces, { ...options, engine: 'wasm' })).toEqual(expected)
}

describe('runs of tags', () => {
  test('are found in the programs that record tags, and are as they are there', () => {
    for (const name of ['check', 'document'] as const) {
      const program = getProgram(name)
      const [content] = [...program.procedures].find(([, rule]) => rule === 'content') as [number, string]
      const { name: tagName, start, end, text } = findRuns(program, content)?.types ?? {}
      const types = [tagName, start, end, text].map((type) => (type === undefined ? undefined : program.types[type]))
      expect(types).toEqual(['name', 'startTag', 'endTag', name === 'check' ? undefined : 'text'])
    }
  })

  test('are learned from the records of a document', () => {
    const program = getProgram('document')
    const engine = makeKernelEngine(kernels.document.required)
    if (!engine) throw new Error('this test needs WebAssembly')
    const machine = new Machine(engine)
    machine.begin(program, DEFAULT_LIMITS)
    machine.append(encode(document(RECORD.repeat(4))))
    machine.run()
    const { memory } = machine
    const start = memory.address('runs')
    const runs = new TextDecoder().decode(memory.bytes.slice(start, start + memory.size('runs')))
    expect(runs).toContain('</t>\n    <r>\n      <id>')
  })

  test('are read as other tags are, in complete input, byte by byte and at every cut', async () => {
    const { events, error } = await read(document(RECORD.repeat(4)))
    expect(error).toBeUndefined()
    expect(events.filter((event) => event === '<id>')).toHaveLength(4)
  })

  test.runIf(isThorough)(
    'hide no error: each byte of a record is replaced, left out, and preceded by another',
    async () => {
      const before = RECORD.repeat(3)
      for (const at of sample(range(0, RECORD.length), 3)) {
        const [start, end] = [before + RECORD.slice(0, at), RECORD.slice(at + 1) + RECORD]
        for (const byte of ['<', '>', '/', ' ', 'a', '\r', '\u0001', '']) {
          const bytes = encode(document(start + byte + end))
          await compare([bytes])
          await compare(piecesOf(bytes, 50))
        }
        await compare([encode(document(`${start}<x>${RECORD.slice(at)}`))])
      }
    },
  )

  test('hide no error wherever the input is cut', async () => {
    const bytes = encode(document(`${RECORD.repeat(3)}${RECORD.replace('</r>', '</p>')}`))
    const expected = await readBoth([bytes], { engine: 'plain' })
    for (const pieces of cutsOf(bytes)) {
      const { events, faults } = await readBoth(pieces, { engine: 'wasm' })
      const places = faults.map((fault) => ({ ...fault, excerpt: undefined }))
      expect(events).toEqual(expected.events)
      expect(places).toEqual(expected.faults.map((fault) => ({ ...fault, excerpt: undefined })))
    }
  })

  test('are not taken past the depth that is allowed', async () => {
    const nested = '<a><b><c><d>x</d></c></b></a>\n'.repeat(20)
    const pieces = [encode(`<r>${nested}</r>`)]
    for (const maxDepth of [2, 3, 4, 5]) {
      const faults: (object | undefined)[] = []
      for (const engine of ['plain', 'wasm'] as const) {
        const options = { engine, limits: { maxDepth } }
        faults.push(await readPieces(pieces, options).then(() => undefined, describeFault))
        faults.push(
          await readXml(pieces, options)
            .check()
            .then(() => undefined, describeFault),
        )
      }
      const [fault] = faults
      expect(fault === undefined).toBe(maxDepth === 5)
      expect(faults).toEqual(faults.map(() => fault))
    }
  })

  test('with prefixes are looked at again where these stand for something else', async () => {
    const record = '<p:a>\n<p:b>x</p:b>\n</p:a>\n'
    const other = `<g xmlns:p="v">${record.repeat(4)}</g>\n<g xmlns:q="u">${record.repeat(4)}</g>\n`
    await compare([encode(document(record.repeat(4) + other + record.repeat(4) + record.replaceAll('p:', 'q:')))])
  })

  test('are forgotten with the document: the same names are other symbols in the next', async () => {
    const records = 'text<a>\n<b>x</b>\n</a>\n'.repeat(5)
    for (const before of ['', '<c/>', '<b/>', '']) await compare([encode(document(before + records))])
  })

  test('and what replaces them do what the plain engine does, in documents of any records and pieces', async () => {
    const name = fc.constantFrom('a', 'b', 'p:c', 'revision', 'é', 'a-name-that-is-longer-than-sixteen-bytes')
    const blank = fc.constantFrom('', '\n', '\n    ', ' \t', '\r\n', `\n${' '.repeat(60)}`)
    const text = fc.constantFrom('', 'x', ' y ', '&lt;', ']]', 'é'.repeat(40), '<!-- -->', '<e/>', '<?p d?>')
    const element: fc.Memo<string> = fc.memo((depth) => {
      const content =
        depth <= 1
          ? text
          : fc.oneof(
              text,
              fc.array(element(), { minLength: 1, maxLength: 3 }).map((inner) => inner.join('')),
            )
      const attribute = fc.constantFrom('', '', '', ' k="1"', ' xmlns:p="v"')
      return fc
        .tuple(name, attribute, blank, content, blank, fc.constantFrom('', '', '', ' '))
        .map(
          ([tag, attributes, before, inner, behind, space]) =>
            `${before}<${tag}${attributes}>${inner}</${tag}${space}>${behind}`,
        )
    })
    const kinds = fc.array(element(3), { minLength: 1, maxLength: 3 })
    const order = fc.array(fc.nat(2), { minLength: 2, maxLength: 20 })
    const change = fc.option(fc.tuple(fc.nat(), fc.constantFrom('', '<', '>', '/', ' ', 'a', '</a>', '<b>', '&')), {
      freq: 2,
    })
    const property = fc.asyncProperty(
      kinds,
      order,
      change,
      fc.integer({ min: 1, max: 200 }),
      async (records, picks, fault, size) => {
        let whole = document(picks.map((pick) => records[pick % records.length]).join(''))
        if (fault) {
          const at = fault[0] % whole.length
          whole = whole.slice(0, at) + fault[1] + whole.slice(at + 1)
        }
        await compare(piecesOf(encode(whole), size))
        await compare([encode(whole)], { namespaces: false })
      },
    )
    await fc.assert(property, parameters(200))
  })
})

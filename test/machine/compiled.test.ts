// Programs with a part that is compiled into their kernel, against the kernel that interprets all, and its twin.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GENERAL_KERNEL } from '../../source/machine/program/general-kernel.ts'
import { Op } from '../../source/machine/program/instructions.ts'
import type { KernelCode, Program } from '../../source/machine/program/program.ts'
import type { Engine } from '../../source/machine/run/engine.ts'
import { makeKernelEngine } from '../../source/machine/run/kernel-engine.ts'
import { DEFAULT_LIMITS } from '../../source/machine/run/limits.ts'
import { Machine } from '../../source/machine/run/machine.ts'
import { PlainEngine } from '../../source/machine/run/plain-engine.ts'
import { takeParts } from '../../source/machine/tree/tape.ts'
import { range, sample } from '../support/extent.ts'
import { cutsOf } from '../support/machine.ts'
import { PLAIN_DOCUMENTS } from '../support/mutants.ts'
import { getProgram, kernels } from '../support/programs.ts'
import { parameters } from '../support/property.ts'

const NAMES = ['document', 'check'] as const
const encode = (text: string) => new TextEncoder().encode(text)

function makeMachine(kernel: KernelCode): Machine {
  const engine = makeKernelEngine(kernel)
  if (!engine) throw new Error('this test needs WebAssembly')
  return new Machine(engine)
}

/**
 * All that can be seen of a run: stops that the host hears of, records, names, and where it ended. With `later`, this engine continues after the first
 * piece.
 */
function run(machine: Machine, program: Program, pieces: readonly Uint8Array[], later?: Engine) {
  machine.begin(program, DEFAULT_LIMITS)
  const rest = [...pieces]
  let isMoving = false
  const records: number[] = []
  const signals: (string | number)[] = []
  for (;;) {
    const outcome = machine.run()
    for (const taken of takeParts(machine)) for (const word of taken.records) records.push(word)
    if (outcome === 'part' || outcome === 'paused') continue
    if (outcome === 'signal') {
      signals.push(machine.label, machine.marked, machine.position)
      continue
    }
    if (outcome === 'input') {
      if (isMoving) machine.moveTo(later as Engine)
      const piece = rest.shift()
      if (!piece) {
        machine.finish()
        continue
      }
      const taken = machine.append(piece)
      if (taken < piece.length) rest.unshift(piece.subarray(taken))
      isMoving = later !== undefined && machine.engine !== later
      continue
    }
    const { position, farthest, malformedAt, nameCount } = machine
    const names = Array.from({ length: nameCount }, (_, i) => machine.nameOf(i + 1))
    return { outcome, position, farthest, malformedAt, names, signals, records, open: machine.openSymbol?.symbol }
  }
}

const FILLING = fc.constantFrom(
  '',
  'text',
  ' \n\t ',
  'é木🌳, and more of it, so that it is longer than a vector or two',
  'a&lt;b&gt;&amp;&quot;&apos;c',
  '&#65;&#x1F333;',
  ']] > ]>',
  '<![CDATA[<&]]]]>',
  '<!-- - c\r\n -->',
  '<?t d ? >?>',
  '\r\n\r',
  '&e;',
  'x'.repeat(300),
)
const ATTRIBUTES = fc.constantFrom(
  '',
  '',
  ' n="1"',
  ' m=\'&quot;\t&#9;\' n="é"',
  ' a = "b"\n c="d" ',
  ' xmlns:p="v" p:n="2"',
  ' a-name-that-is-longer-than-sixteen-bytes="x" b="&amp;&e;"',
)
const NAME = fc.constantFrom('a', 'b', 'p:c', 'élan', 'a-name-that-is-longer-than-sixteen-bytes', 'revision')
const element: fc.Memo<string> = fc.memo((depth) => {
  const children = depth <= 1 ? fc.constant([]) : fc.array(fc.tuple(element(), FILLING), { maxLength: 3 })
  return fc
    .tuple(NAME, ATTRIBUTES, FILLING, children, fc.constantFrom('', ' '))
    .map(([name, attributes, text, inner, blank]) => {
      const content = text + inner.map(([child, behind]) => child + behind).join('')
      return content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}${blank}>`
    })
})
/** Some of them with a byte changed, so that they are wrong. */
const documents = fc
  .tuple(fc.array(element(3), { minLength: 1, maxLength: 8 }), fc.option(fc.tuple(fc.nat(), fc.nat(255)), { freq: 2 }))
  .map(([elements, change]) => {
    const bytes = encode(`<r>${elements.join('\n  ')}</r>`)
    if (change) bytes[change[0] % bytes.length] = change[1]
    return bytes
  })

describe.each(NAMES)('the compiled part of the program %s', (name) => {
  const program = getProgram(name)
  const kernel = kernels[name].required
  const compiled = makeMachine(kernel)
  const interpreted = makeMachine(GENERAL_KERNEL)
  const plain = new Machine(new PlainEngine())

  test('is what runs: it matches where the code in memory would fail', () => {
    // The searches of text are made to fail in the code, which the compiled part does not read.
    const code = program.code.map((word) => ((word & 255) === Op.UNTIL ? Op.FAIL : word))
    const document = [encode('<r>some text<a>more</a></r>')]
    expect(run(makeMachine(GENERAL_KERNEL), { ...program, code }, document).outcome).toBe('failed')
    expect(run(makeMachine(kernel), { ...program, code }, document).outcome).toBe('done')
  })

  test('does what the interpreters do, with complete input, byte by byte and at every cut', () => {
    const texts = [
      ...PLAIN_DOCUMENTS,
      '<a>x&lt;&amp;y&#10;z]]<b c="1" d=\'&quot;\'/>\r\n</a>',
      '<a>]]></a>',
      '<a b="1" b="2"/>',
      '<a><b></a>',
      '<a>&undeclared;</a>',
    ]
    for (const text of texts) {
      for (const pieces of cutsOf(encode(text))) {
        const expected = run(plain, program, pieces)
        expect(run(interpreted, program, pieces), text).toEqual(expected)
        expect(run(compiled, program, pieces), text).toEqual(expected)
      }
    }
  })

  test('finds what ends text wherever it stands among the bytes that are looked at together', () => {
    const contents = [
      ...[
        'x]]>',
        'x]]',
        'x>]>',
        '&amp;]]>',
        ']]&amp;>',
        ']]<b/>>',
        '<![CDATA[]]>>',
        ']]\r>',
        'x\ry',
        'x&e;y',
        '&gt;]]>',
      ],
      ...['<![CDATA[x]]]]>', '<![CDATA[]>]]]>', '<!--x- -->', '<!---->', '<!--x---><b/>', '<?t x??>', '<?t ?x>?>'],
    ]
    for (const content of contents) {
      for (const length of sample(range(0, 70), 12)) {
        const start = encode(`<r>${'x'.repeat(length)}`)
        // After the end of shorter input there are the bytes of before: they must not be found.
        const rest = encode(`${content}${']]>'.repeat(length % 7)}</r>`)
        const document = new Uint8Array([...start, ...rest])
        const ways = [[document], [start, rest], [start, rest.subarray(0, 2), rest.subarray(2)]]
        for (const pieces of ways) {
          const expected = run(plain, program, pieces)
          expect(run(compiled, program, pieces), `${length} bytes and ${content}`).toEqual(expected)
        }
      }
    }
  })

  test('does what the interpreters do with documents of any kind, in pieces of any size', () => {
    const property = fc.property(documents, fc.integer({ min: 1, max: 80 }), (bytes, size) => {
      const pieces: Uint8Array[] = []
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
      const expected = run(plain, program, pieces)
      expect(run(interpreted, program, pieces)).toEqual(expected)
      expect(run(compiled, program, pieces)).toEqual(expected)
    })
    fc.assert(property, parameters(300))
  })

  test('passes each byte a bounded number of times, wherever the pieces end', () => {
    // Text with a reference every few bytes: what was passed in a piece must not be passed again for each of them.
    const text = encode(`<r>${'word &lt;ref&gt; and &amp;nbsp; '.repeat(20_000)}</r>`)
    const time = (size: number) => {
      const pieces: Uint8Array[] = []
      for (let at = 0; at < text.length; at += size) pieces.push(text.subarray(at, at + size))
      const start = performance.now()
      expect(run(compiled, program, pieces).outcome).toBe('done')
      return performance.now() - start
    }
    const fastest = (size: number) => Math.min(time(size), time(size), time(size))
    // With the error that this test looks for, large pieces take a hundred times as long as small ones.
    expect(fastest(200_000) / fastest(1000)).toBeLessThan(20)
  })
})

describe.each(NAMES)('a kernel that continues where the interpreter has stopped in the program %s', (name) => {
  const program = getProgram(name)
  const kernel = kernels[name].required
  const texts = [
    ...PLAIN_DOCUMENTS,
    `<r>${'<a b="c">text &amp; more</a>\n'.repeat(20)}</r>`,
    '<a><b>wrong</a>',
    '<a>&b;</a>',
  ]

  test.each(['its own', 'the general one'])('finds the same at every cut: %s', (which) => {
    const code = which === 'its own' ? kernel : GENERAL_KERNEL
    for (const text of texts) {
      const bytes = encode(text)
      const expected = run(new Machine(new PlainEngine()), program, [bytes])
      for (const cut of sample(range(1, bytes.length), 8)) {
        const later = makeKernelEngine(code) as Engine
        const found = run(new Machine(new PlainEngine()), program, [bytes.subarray(0, cut), bytes.subarray(cut)], later)
        expect(found, `${text} at ${cut}`).toEqual(expected)
      }
    }
  })

  test('is used again for the next document', () => {
    const machine = new Machine(new PlainEngine())
    const later = makeKernelEngine(kernel) as Engine
    const pieces = [encode('<r><a>one</a>'), encode('<a>two</a></r>')]
    const first = run(machine, program, pieces, later)
    expect(machine.engine).toBe(later)
    expect(run(machine, program, pieces)).toEqual(first)
  })
})

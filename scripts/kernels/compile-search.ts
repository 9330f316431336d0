// Searches of compiled programs: functions in AssemblyScript that find the first of some literals, and skip others on the way.

/** A literal of a list: its offset in the program's data, and its bytes. */
export interface Literal {
  readonly at: number
  readonly bytes: readonly number[]
}

/**
 * A function that gives the address of the first of the listed literals from `from` on; 0 where none is before `end`, after which there
 * must be 16 zero bytes, and 15 more that may be read. After the literals that it may skip it continues, and `passed` has the place where the
 * last of them ended.
 *
 * It looks at 32 bytes at a time for those that show a literal.
 */
export function writeSearch(name: string, listed: readonly Literal[], passed: readonly Literal[]): string {
  const signs = new Map(listed.map((literal) => [literal, findSign(literal, listed, passed)]))
  const bytes = [...new Set([...signs.values()].map((sign, i) => (listed[i] as Literal).bytes[sign] as number))]
  // What ends the search as soon as it is met, first.
  const tests = bytes
    .map((byte) => ({ byte, body: decide(byte, signs, passed) }))
    .sort((one, other) => one.body.length - other.body.length)
    .map(({ byte, body }) => `if (byte == ${byte}) {\n${indent(body)}\n}`)
  return [
    `function ${name}(from: usize, end: usize): usize {`,
    '  let at = from',
    ...(passed.length > 0 ? ['  passed = from'] : []),
    '  while (at < end) {',
    '    const one = v128.load(at)',
    '    const two = v128.load(at, 16)',
    `    let candidates = i8x16.bitmask(${findBytes('one', bytes)}) | (i8x16.bitmask(${findBytes('two', bytes)}) << 16)`,
    '    let next = at + 32',
    '    while (candidates != 0) {',
    '      const candidate = at + <usize>ctz(candidates)',
    '      if (candidate >= end) return 0',
    '      const byte = <u32>load<u8>(candidate)',
    indent(indent(indent(tests.join(' else ')))),
    '      candidates &= candidates - 1',
    '    }',
    '    at = next',
    '  }',
    '  return 0',
    '}',
  ].join('\n')
}

/**
 * Which of its bytes is looked for to find a literal: the last, of which text that does not have the literal mostly has fewer than of the first,
 * as of `>` and `]`. The first where that would find it after something that begins in it.
 */
function findSign({ bytes }: Literal, listed: readonly Literal[], passed: readonly Literal[]): number {
  const others = [...listed.filter((literal) => literal.bytes !== bytes), ...passed]
  return others.some((literal) => bytes.includes(literal.bytes[0] as number)) ? 0 : bytes.length - 1
}

/** Where 16 bytes are one of some. */
function findBytes(bytes: string, wanted: readonly number[]): string {
  const byHalf = new Map(wanted.map((byte) => [byte & 15, byte]))
  if (byHalf.size < wanted.length || wanted.some((byte) => byte > 127) || wanted.length < 3) {
    return wanted
      .map((byte) => `i8x16.eq(${bytes}, i8x16.splat(${byte}))`)
      .reduce((one, other) => `v128.or(${one}, ${other})`)
  }
  // At each lower half the byte that has it, or one that has another.
  const table = Array.from({ length: 16 }, (_, half) => byHalf.get(half) ?? (half === 0 ? 1 : 0))
  return `i8x16.eq(i8x16.swizzle(i8x16(${table.join(', ')}), v128.and(${bytes}, i8x16.splat(15))), ${bytes})`
}

/** What is done at a candidate: it is passed, or found, or neither. */
function decide(byte: number, signs: ReadonlyMap<Literal, number>, passed: readonly Literal[]): string {
  const passes = passed
    .filter(({ bytes }) => bytes[0] === byte)
    .map(({ bytes }) => `if (!(${differs(bytes, 'candidate')})) length = ${bytes.length}`)
  const finds = [...signs]
    .filter(([{ bytes }, sign]) => bytes[sign] === byte)
    .map(([{ bytes }, sign]) => find(bytes, sign, passed.length > 0 ? 'passed' : 'from'))
  if (passes.length === 0) return finds.join('\n')
  return [
    'let length: usize = 0',
    passes.join('\nelse '),
    'if (length != 0) {',
    '  next = candidate + length',
    '  passed = next',
    '  break',
    '}',
    ...finds,
  ].join('\n')
}

/** Returns a literal when it is the one whose byte stands at the candidate; nothing of it stands before `least`. */
function find(bytes: readonly number[], sign: number, least: string): string {
  if (bytes.length === 1) return 'return candidate'
  if (sign === 0) return `if (!(${differs(bytes, 'candidate')})) return candidate`
  const start = `candidate - ${sign}`
  return `if (${start} >= ${least} && !(${differs(bytes, start)})) return ${start}`
}

/** A condition: other bytes than these stand there. Reads up to 8 bytes at a time. */
export function differs(bytes: ArrayLike<number>, at = 'p'): string {
  const conditions: string[] = []
  for (let i = 0; i < bytes.length; i += 8) {
    const piece = Uint8Array.from(bytes).subarray(i, i + 8)
    const size = piece.length > 4 ? 8 : 4
    const word = hex(Buffer.concat([piece], size))
    const mask = hex(Buffer.alloc(size, Buffer.alloc(piece.length, 255)).fill(0, piece.length))
    const loaded = `load<${size === 8 ? 'u64' : 'u32'}>(${at}, ${i})`
    conditions.push(`${piece.length === size ? loaded : `(${loaded} & ${mask})`} != ${word}`)
  }
  return conditions.join(' || ')
}

/** A word; of bytes, as they lie in memory. */
export function hex(value: number | Uint8Array): string {
  if (typeof value === 'number') return `0x${(value >>> 0).toString(16)}`
  return `0x${Buffer.from(value).reverse().toString('hex')}`
}

export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}

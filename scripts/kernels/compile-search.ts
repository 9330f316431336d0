// Searches of compiled programs: functions in AssemblyScript that find the first of some literals, and pass over others on the way.

/** A literal of a list: its offset in the program's data, and its bytes. */
export interface Literal {
  readonly at: number
  readonly bytes: readonly number[]
}

/**
 * A function that gives the address of the first of the listed literals from `from` on; 0 where none is before `end`, behind which there
 * must be 16 zero bytes. Behind the literals that it may pass over it goes on, and `passed` tells where the last of them ended.
 *
 * It looks at 16 bytes at a time for those with which something begins.
 */
export function writeSearch(name: string, listed: readonly Literal[], passed: readonly Literal[]): string {
  const begins = [...new Set(listed.map(({ bytes }) => bytes[0] as number))]
  const candidates = begins
    .map((byte) => findBeginnings(byte, listed))
    .reduce((one, other) => `v128.or(${one}, ${other})`)
  // What ends the search as soon as it is met, first.
  const tests = begins
    .map((byte) => ({ byte, body: decide(byte, listed, passed) }))
    .sort((one, other) => one.body.length - other.body.length)
    .map(({ byte, body }) => `if (byte == ${byte}) {\n${indent(body)}\n}`)
  return [
    `function ${name}(from: usize, end: usize): usize {`,
    '  let at = from',
    ...(passed.length > 0 ? ['  passed = from'] : []),
    '  while (at < end) {',
    '    const bytes = v128.load(at)',
    `    let candidates = i8x16.bitmask(${candidates})`,
    '    let next = at + 16',
    '    while (candidates != 0) {',
    '      const candidate = at + <usize>ctz(candidates)',
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

/** Where literals may begin with a byte. Of one that has several bytes the last is looked at as well: text may have many of the first. */
function findBeginnings(byte: number, listed: readonly Literal[]): string {
  const isFirst = `i8x16.eq(bytes, i8x16.splat(${byte}))`
  const [one, ...more] = listed.filter(({ bytes }) => bytes[0] === byte)
  if (!one || one.bytes.length === 1 || more.length > 0) return isFirst
  const last = one.bytes.length - 1
  return `v128.and(${isFirst}, i8x16.eq(v128.load(at, ${last}), i8x16.splat(${one.bytes[last]})))`
}

/** What is done at a candidate: it is passed, or found, or neither. */
function decide(byte: number, listed: readonly Literal[], passed: readonly Literal[]): string {
  const beginsWith = ({ bytes }: Literal) => bytes[0] === byte
  const isAt = ({ bytes }: Literal) => `!(${differs(bytes, 'candidate')})`
  const found = listed.filter(beginsWith)
  const isFound = found.some(({ bytes }) => bytes.length === 1) ? 'true' : found.map(isAt).join(' || ')
  const passes = passed.filter(beginsWith).map((one) => `if (${isAt(one)}) length = ${one.bytes.length}`)
  if (passes.length === 0) return `if (${isFound}) return candidate`
  return [
    'let length: usize = 0',
    passes.join('\nelse '),
    'if (length != 0) {',
    '  next = candidate + length',
    '  passed = next',
    '  break',
    '}',
    `if (${isFound}) return candidate`,
  ].join('\n')
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

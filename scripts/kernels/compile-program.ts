// Compiles the busiest part of a program for the parsing machine to AssemblyScript.
//
// What is written is what the machine does as long as all goes well and the bytes are there: at anything else (a failure, a rewind entry,
// the end of what has arrived, a region that is full, an instruction that is rare) it stops before the instruction, with the machine as it
// is there, and the loop of machine/kernel/kernel.ts continues. So the code decides nothing by itself, and there is no second machine.
//
// The code begins at one procedure and is what can be reached from it. A *point* is an instruction, and the calls that it was come to
// through whose return is known: those are inlined. A point that more than one leads to is a *block*, a case of one `switch` in a loop;
// the others are written where they are come to.
//
// Where content continues with one tag after the other, known runs of tags may be taken (xml/kernel/runs.ts).
//
// Where the input ends for now, 16 zero bytes stand: zero is not a character of the alphabet, so reading a byte also shows whether
// it is there.

import { INSTRUCTIONS, type Instruction, lengthOf } from '../../source/machine/program/instruction-table.ts'
import { Op, type OpName } from '../../source/machine/program/instructions.ts'
import type { Program } from '../../source/machine/program/program.ts'
import { EntryFlag, PROGRAM } from '../../source/machine/program/registers.ts'
import { differs, hex, indent, type Literal, writeSearch } from './compile-search.ts'
import { findRuns, type Runs } from './find-runs.ts'

/** Calls of a procedure that are inlined at the most: the first ones, which in grammars are the busiest. */
const MOST_INLINED = 2
/** Bytes of a class up to which it is compared byte by byte. */
const FEW_BYTES = 3
const CLASS_BYTES = 16
const ENTRIES = 24

/** An instruction, and where the inlined call that it was come to through returns. */
interface Point {
  readonly pc: number
  readonly returnsTo: number | undefined
}

/** A way to continue. */
interface Way {
  readonly to: Point
  /** Bytes that lead there. */
  readonly bytes: readonly number[]
  /** Whether nothing matches there with these bytes: it is where grammars send errors, to report what was expected. */
  readonly isHopeless: boolean
}

/** A function that searches, and whether it may skip some literals. */
interface Search {
  readonly name: string
  readonly passes: boolean
  readonly text: string
}

/** The instructions that are compiled; at others the code stops. */
const COMPILED: ReadonlySet<OpName> = new Set([
  ...(['BYTE', 'WORD', 'LITERAL', 'CLASS', 'SPAN', 'NAME', 'SPAN_COUNTED', 'UNTIL', 'LISTED'] as const),
  ...(['JUMP', 'TEST', 'SWITCH', 'CALL', 'RETURN', 'OPEN', 'CLOSE', 'LEAF', 'BEGIN_PART', 'END_PART'] as const),
  ...(['PUSH_SYMBOL', 'MATCH_SYMBOL', 'POP_SYMBOL', 'SCOPE', 'UNIQUE'] as const),
])

/** The AssemblyScript of the code from the procedure of a rule on, and whether it takes runs of tags. */
export function compileProgram(program: Program, rule: string): { code: string; hasRuns: boolean } {
  if (program.alphabet !== 'xml') throw new Error('zero bytes are characters of this alphabet')
  const entry = [...program.procedures].find(([, name]) => name === rule)?.[0]
  if (entry === undefined) throw new Error(`there is no procedure for ${rule}`)
  const compiler = new Compiler(program, entry)
  return { code: compiler.compile(), hasRuns: compiler.hasRuns }
}

class Compiler {
  readonly #program: Program
  readonly #entry: Point
  /** Address of the program's data. */
  readonly #data: number
  /** Points by key, and how many lead to each. */
  readonly #points = new Map<string, Point>()
  readonly #leading = new Map<string, number>()
  /** Calls that are inlined, by the procedure. */
  readonly #inlined = new Map<number, Set<number>>()
  /** Where calls return to, and which of them are not inlined. */
  readonly #returns = new Set<number>()
  readonly #unknownReturns = new Set<string>()
  /** Numbers of blocks by key, from 1. */
  readonly #blocks = new Map<string, number>()
  /** Functions that search, by what for. */
  readonly #searches = new Map<string, Search>()
  readonly #runs: Runs | undefined

  constructor(program: Program, entry: number) {
    this.#program = program
    this.#entry = { pc: entry, returnsTo: undefined }
    this.#data = align(PROGRAM + 4 * program.code.length)
    this.#runs = findRuns(program, entry)
  }

  get hasRuns(): boolean {
    return this.#runs !== undefined
  }

  compile(): string {
    this.#explore()
    for (const key of this.#points.keys()) {
      const isBlock = this.#unknownReturns.has(key) || (this.#leading.get(key) ?? 0) > 1
      if (isBlock) this.#blocks.set(key, this.#blocks.size + 1)
    }
    if (this.#blocks.size > 255) throw new Error('there are more blocks than a byte can tell')
    const cases = [...this.#blocks].map(([key, block]) => {
      const point = this.#points.get(key) as Point
      const body = `${this.#writeTaking(point)}${this.#write(point, true)}`
      return `case ${block}: { // ${key}\n${indent(body)}\n}`
    })
    return [
      this.#writeEntries(),
      this.#writeReturns(),
      ...[...this.#searches.values()].map(({ text }) => text),
      this.#writeRuns(),
      `${PROLOGUE}${this.#runs ? BEGIN_RUNS : ''}${LOOP}`,
      indent(indent(cases.join('\n'))),
      `${EPILOGUE}${this.#runs ? END_RUNS : ''}}`,
    ].join('\n')
  }

  // Points.

  /** Finds all points, those that are near the entry first. */
  #explore(): void {
    const waiting: Point[] = []
    const lead = (to: Point) => {
      const point = this.#resolve(to)
      const key = keyOf(point)
      this.#leading.set(key, (this.#leading.get(key) ?? 0) + 1)
      if (this.#points.has(key)) return
      this.#points.set(key, point)
      waiting.push(point)
    }
    lead(this.#entry)
    lead(this.#entry) // it is called from elsewhere as well
    for (let next = 0; next < waiting.length; next++) {
      const point = waiting[next] as Point
      for (const { to } of this.#ways(point)) lead(to)
      if (this.#operation(point.pc) !== 'CALL') continue
      this.#returns.add(point.pc + 1)
      if (this.#isInlined(point)) continue
      const back = { pc: point.pc + 1, returnsTo: undefined }
      this.#unknownReturns.add(keyOf(this.#resolve(back)))
      lead(back)
    }
  }

  /** After jumps, which do nothing. */
  #resolve(point: Point): Point {
    let { pc } = point
    while (this.#operation(pc) === 'JUMP') pc = this.#word(pc) >>> 8
    return { pc, returnsTo: point.returnsTo }
  }

  /** Where a point may lead to, without returns that are not known, and without stopping. */
  #ways(point: Point): Way[] {
    const { pc, returnsTo } = point
    const at = (target: number): Point => ({ pc: target, returnsTo })
    const name = this.#operation(pc)
    if (!COMPILED.has(name)) return []
    switch (name) {
      case 'TEST':
      case 'SWITCH':
        return this.#decide(point).filter(({ isHopeless }) => !isHopeless)
      case 'CALL': {
        const to = { pc: this.#word(pc) >>> 8, returnsTo: this.#isInlined(point) ? pc + 1 : undefined }
        return [{ to, bytes: [], isHopeless: false }]
      }
      case 'RETURN':
      case 'END_PART':
        return returnsTo === undefined
          ? []
          : [{ to: { pc: returnsTo, returnsTo: undefined }, bytes: [], isHopeless: false }]
      default:
        return [{ to: at(pc + lengthOf(Op[name])), bytes: [], isHopeless: false }]
    }
  }

  /** Whether a call is inlined: not in a procedure that is inlined itself, nor one of the procedure that all begins with. */
  #isInlined({ pc: call, returnsTo }: Point): boolean {
    const target = this.#word(call) >>> 8
    if (returnsTo !== undefined || target === this.#entry.pc) return false
    const calls = this.#inlined.get(target) ?? new Set()
    this.#inlined.set(target, calls)
    if (!calls.has(call) && calls.size < MOST_INLINED) calls.add(call)
    return calls.has(call)
  }

  /** The ways of a look at a byte, of equal ones together. */
  #decide({ pc, returnsTo }: Point): Way[] {
    const ways = new Map<string, { to: Point; bytes: number[] }>()
    for (let byte = 0; byte < 256; byte++) {
      const to = this.#resolve({ pc: this.#target(pc, byte), returnsTo })
      const key = keyOf(to)
      const way = ways.get(key) ?? { to, bytes: [] }
      ways.set(key, way)
      way.bytes.push(byte)
    }
    const depth = this.#depthOf(pc)
    return [...ways.values()].map((way) => ({ ...way, isHopeless: this.#isHopeless(way.to, depth, way.bytes) }))
  }

  /** Whether what begins at a point comes to a name, or a class, that takes none of the bytes which can stand at this distance. */
  #isHopeless(from: Point, distance: number, bytes: readonly number[]): boolean {
    let { pc } = from
    for (let at = 0; ; ) {
      const operand = this.#word(pc) >>> 8
      const name = this.#operation(pc)
      switch (name) {
        case 'CALL':
        case 'JUMP':
          pc = operand
          continue
        case 'BEGIN_PART':
        case 'OPEN':
          break
        case 'BYTE':
          at++
          break
        case 'NAME':
        case 'CLASS':
          return at === distance && bytes.every((byte) => this.#saysOf(operand)[byte] === 0)
        default:
          return false
      }
      pc += lengthOf(Op[name])
    }
  }

  /** Where a TEST or SWITCH leads to. */
  #target(pc: number, byte: number): number {
    const { data } = this.#program
    if (this.#operation(pc) === 'TEST') {
      return data[this.#word(pc, 2) + byte] === 0 ? this.#word(pc) >>> 8 : pc + 3
    }
    const table = this.#word(pc, 1)
    const way = data[table + byte] as number
    return new DataView(data.buffer, data.byteOffset).getUint32(table + 256 + 4 * way, true)
  }

  // Writing.

  /** What is done from a point on. */
  #write(point: Point, isBlock = false): string {
    const block = this.#blocks.get(keyOf(point))
    if (block !== undefined && !isBlock) return `block = ${block}\ncontinue`
    const { pc } = point
    const name = this.#operation(pc)
    const stop = `{ at = ${pc}; break }`
    if (!COMPILED.has(name)) return `at = ${pc}\nbreak`
    if (name === 'TEST' || name === 'SWITCH') return this.#writeDecision(point, stop)
    const does = this.#writeInstruction(point, name, stop)
    const [way] = this.#ways(point)
    if (way) return `${does}\n${this.#write(this.#resolve(way.to))}`
    return `${does}\nat = <usize>load<u32>(sp) >> 4\nblock = findReturn(at)\nif (block != 0) continue\nbreak`
  }

  #writeDecision(point: Point, stop: string): string {
    const { pc } = point
    // The largest set is what remains: those of few bytes are distinguished by comparing.
    const ways = this.#decide(point).sort((one, other) => one.bytes.length - other.bytes.length)
    const byte = nameOf('byte', point)
    const lines = [`const ${byte} = <u32>load<u8>(p, ${this.#depthOf(pc)})`]
    const rest = ways.pop() as Way
    for (const way of ways) {
      const body = this.#writeWay(way, byte, stop)
      lines.push(`if (${this.#isIn(pc, byte, way.bytes)}) {`, indent(body), '}')
    }
    lines.push(this.#writeWay(rest, byte, stop))
    return lines.join('\n')
  }

  /** A way that zero leads to may be wrong: the byte may not have arrived. */
  #writeWay({ to, bytes, isHopeless }: Way, byte: string, stop: string): string {
    if (isHopeless) return stop
    const body = this.#write(to)
    return bytes.includes(0) ? `if (${byte} == 0) ${stop}\n${body}` : body
  }

  /** A condition for bytes that a decision distinguishes. */
  #isIn(pc: number, byte: string, bytes: readonly number[]): string {
    if (bytes.length <= FEW_BYTES) return bytes.map((value) => `${byte} == ${value}`).join(' || ')
    const [first, last] = [bytes[0] as number, bytes.at(-1) as number]
    if (last - first === bytes.length - 1) return `${byte} - ${first} <= ${last - first}`
    if (this.#operation(pc) === 'TEST') {
      const isSet = this.#target(pc, first) === pc + 3
      return `load<u8>(<usize>${byte}, ${this.#data + this.#word(pc, 2)}) ${isSet ? '!=' : '=='} 0`
    }
    // Several targets may lead to the same point after jumps.
    const table = this.#word(pc, 1)
    const numbers = [...new Set(bytes.map((value) => this.#program.data[table + value] as number))]
    const way = `load<u8>(<usize>${byte}, ${this.#data + table})`
    return numbers.map((number) => `${way} == ${number}`).join(' || ')
  }

  /** An instruction, up to where it has matched. */
  #writeInstruction(point: Point, name: OpName, stop: string): string {
    const { pc } = point
    const [a, b, c] = [this.#word(pc) >>> 8, this.#word(pc, 1), this.#word(pc, 2)]
    const orStop = (condition: string) => `if (${condition}) ${stop}`
    const to = nameOf('to', point)
    const matchTo = (end: string, isNone: string) => `const ${to} = ${end}\n${orStop(isNone)}\nm = p\np = ${to}`
    switch (name) {
      case 'BYTE':
        return `${orStop(`<u32>load<u8>(p) != ${a}`)}\nm = p\np++`
      case 'WORD':
        return `${orStop(`(load<u32>(p) & ${hex(c)}) != ${hex(b)}`)}\nm = p\np += ${a}`
      case 'LITERAL':
        return `${orStop(differs(this.#program.data.subarray(a, a + b)))}\nm = p\np += ${b}`
      case 'CLASS':
        return matchTo('p + 1', `load<u8>(p) > 127 || ${this.#says(a)} == 0`)
      case 'SPAN': {
        const isNone = b === 0 ? '' : ` || ${to} == p`
        return matchTo(
          `${this.#isRare(a) ? 'passFew' : 'passMany'}(${this.#data + a}, p, end)`,
          `${to} >= end${isNone}`,
        )
      }
      case 'NAME':
        return matchTo(`passName(${this.#data + a}, ${this.#data + b}, p, end)`, `${to} == 0 || ${to} >= end`)
      case 'SPAN_COUNTED':
        if (b !== 0 || c !== 1 || !this.#isAscii(a)) return orStop('true')
        return matchTo(`p + <usize>(${this.#says(a)} != 0)`, 'p >= end')
      case 'UNTIL': {
        const { name: search, passes } = this.#searchOf(point)
        const found = matchTo(`${search}(p, end)`, c === 0 ? `${to} == 0` : `${to} == 0 || ${to} == p`)
        if (!passes) return found
        // What was passed must not be passed again when more has come.
        const behind = this.#resolve({ ...point, pc: pc + 3 }).pc
        const [find, ...rest] = found.split('\n')
        return [
          find,
          `if (${to} == 0 && passed > p) {`,
          '  m = p',
          '  p = passed',
          `  at = ${behind}`,
          '  break',
          '}',
          ...rest,
        ].join('\n')
      }
      case 'LISTED':
        return this.#writeListed(b, stop)
      case 'CALL':
        return pushFrame(callHead(pc + 1), orStop)
      case 'RETURN':
        return POP_FRAME
      case 'OPEN':
        return pushFrame(a, orStop)
      case 'CLOSE':
        return `${orStop('isTapeFull(t)')}\n${POP_FRAME}\n${record(a, 'load<u32>(sp, 4)', 'load<u32>(sp, 8)')}`
      case 'LEAF':
        return `${orStop('isTapeFull(t)')}\n${record(a, '<u32>(m - shift)', '<u32>(t - tapeShift)')}`
      case 'BEGIN_PART':
        return 'if (part == stack) part = sp - ENTRY_SIZE'
      case 'END_PART':
        return [
          orStop('isTapeMarked(t)'),
          POP_FRAME,
          'if (part != stack && !holdsPart(sp)) {',
          `  writeRecord(t, ${a}, load<u32>(sp, 4), <u32>(p - shift), load<u32>(sp, 8))`,
          '  t = closePart(t + RECORD_SIZE, sp)',
          '}',
          'part = stack',
        ].join('\n')
      case 'PUSH_SYMBOL':
        return `${orStop('isTapeFull(t) || pushSymbol(m, p, m - shift) != PASSED')}\n${record(a, '<u32>(m - shift)', 'symbol')}`
      case 'MATCH_SYMBOL':
        return matchTo(`matchSymbol(${this.#data + a}, p, end)`, `${to} == 0`)
      case 'POP_SYMBOL':
        return orStop('popSymbol() != PASSED')
      case 'SCOPE':
        return orStop('beginScope() != PASSED')
      case 'UNIQUE':
        return `${orStop('isTapeFull(t) || seeSymbol(m, p) != PASSED')}\n${record(a, '<u32>(m - shift)', 'symbol')}`
      default:
        throw new Error(`${name} cannot be compiled`)
    }
  }

  /** What a class says of the byte at p. */
  #says(set: number): string {
    return `load<u8>(<usize>load<u8>(p), ${this.#data + set + CLASS_BYTES})`
  }

  /** Whether there is mostly one of a class in a row, or none, as of blanks. */
  #isRare(set: number): boolean {
    return this.#isAscii(set) && this.#saysOf(set).filter((says) => says !== 0).length < 16
  }

  #isAscii(set: number): boolean {
    return this.#saysOf(set).every((says, byte) => says === 0 || byte < 128)
  }

  #saysOf(set: number): Uint8Array {
    return this.#program.data.subarray(set + CLASS_BYTES, set + CLASS_BYTES + 256)
  }

  // Searches.

  /** The name of a function that does what an UNTIL does, and gives 0 where the input has to arrive first. */
  #searchOf(point: Point): Search {
    const listed = this.#literalsOf(this.#word(point.pc, 1))
    const passed = this.#passedBy(point, listed)
    const key = JSON.stringify([listed, passed])
    const name = `search${this.#searches.size + 1}`
    const search = this.#searches.get(key) ?? {
      name,
      passes: passed.length > 0,
      text: writeSearch(name, listed, passed),
    }
    this.#searches.set(key, search)
    return search
  }

  /** Where the literals of a list are, and how long; first those of several bytes. */
  #literalsOf(list: number): Literal[] {
    const { data } = this.#program
    const view = new DataView(data.buffer, data.byteOffset)
    return Array.from({ length: view.getUint32(list, true) }, (_, i) => {
      const entry = list + ENTRIES + 16 * i
      const at = view.getUint32(entry, true)
      return { at, bytes: [...data.subarray(at, at + view.getUint32(entry + 4, true))] }
    })
  }

  /**
   * Literals that the search may skip: those that the code after it would match, to come back to the search whatever follows that
   * begins none of the literals it looks for.
   */
  #passedBy(point: Point, listed: readonly Literal[]): Literal[] {
    const behind = this.#resolve({ ...point, pc: point.pc + 3 })
    const begins = new Set(listed.map(({ bytes }) => bytes[0]))
    for (let byte = 0; byte < 256; byte++) {
      if (byte !== 0 && !begins.has(byte) && this.#follow(behind, [byte])?.pc !== point.pc) return []
    }
    return this.#listsBehind(behind).filter((literal) => {
      const at = this.#follow(behind, literal.bytes)
      const isListed = at && this.#operation(at.pc) === 'LISTED'
      const isFirst = isListed && this.#literalsOf(this.#word(at.pc, 1)).some((one) => one.at === literal.at)
      return isFirst && keyOf(this.#resolve({ ...at, pc: at.pc + 2 })) === keyOf(behind)
    })
  }

  /** Where decisions lead from a point when these bytes are next; undefined where they look farther. */
  #follow(from: Point, bytes: readonly number[]): Point | undefined {
    let point = from
    for (;;) {
      const name = this.#operation(point.pc)
      if (name !== 'TEST' && name !== 'SWITCH') return point
      const byte = bytes[this.#depthOf(point.pc)]
      if (byte === undefined) return undefined
      point = this.#resolve({ ...point, pc: this.#target(point.pc, byte) })
    }
  }

  /** The literals of all lists that decisions lead to from a point. */
  #listsBehind(from: Point): Literal[] {
    const seen = new Set<string>()
    const literals = new Map<number, Literal>()
    const look = (point: Point) => {
      if (seen.has(keyOf(point))) return
      seen.add(keyOf(point))
      const name = this.#operation(point.pc)
      if (name === 'LISTED') for (const one of this.#literalsOf(this.#word(point.pc, 1))) literals.set(one.at, one)
      if (name === 'TEST' || name === 'SWITCH') for (const { to } of this.#decide(point)) look(to)
    }
    look(from)
    return [...literals.values()]
  }

  #depthOf(pc: number): number {
    return this.#operation(pc) === 'TEST' ? this.#word(pc, 1) : this.#word(pc) >>> 8
  }

  /** Each literal is compared with the bytes it consists of. */
  #writeListed(list: number, stop: string): string {
    const tests = this.#literalsOf(list).map(({ bytes }) => {
      return `if (!(${differs(bytes)})) { m = p; p += ${bytes.length} }`
    })
    return `${tests.join('\nelse ')}\nelse ${stop}`
  }

  // Runs.

  /** Takes a run where one may begin. */
  #writeTaking({ pc, returnsTo }: Point): string {
    return pc === this.#runs?.begin && returnsTo === undefined ? TAKE_RUN : ''
  }

  /** What xml/kernel/runs.ts has to know of the program. */
  #writeRuns(): string {
    if (!this.#runs) return ''
    const { behind, types } = this.#runs
    const blockOf = (pc: number) => this.#blocks.get(keyOf(this.#resolve({ pc, returnsTo: undefined })))
    return [
      `const RUN_HEAD: u32 = ${callHead(behind)}`,
      `const RUN_CONTENT: u32 = ${blockOf(this.#entry.pc)}`,
      `const RUN_BEHIND: u32 = ${blockOf(behind)}`,
      `const RUN_NAME: i32 = ${types.name}`,
      `const RUN_START: i32 = ${types.start}`,
      `const RUN_END: i32 = ${types.end}`,
      `const RUN_TEXT: i32 = ${types.text ?? -1}`,
    ].join('\n')
  }

  /** Where the code may be entered: a bit for each instruction, and the blocks. */
  #writeEntries(): string {
    const bits = new Uint8Array(Math.ceil(this.#program.code.length / 8))
    const lines: string[] = []
    for (const [key, block] of this.#blocks) {
      const { pc, returnsTo } = this.#points.get(key) as Point
      bits[pc >>> 3] = (bits[pc >>> 3] as number) | (1 << (pc & 7))
      // Inlined ones first: at their instructions the machine may stand in a call that is not inlined as well.
      if (returnsTo === undefined) lines.push(`if (pc == ${pc}) return ${block}`)
      else lines.unshift(`if (pc == ${pc} && load<u32>(sp - ENTRY_SIZE) == ${callHead(returnsTo)}) return ${block}`)
    }
    return `const ENTRIES = memory.data<u8>([${bits}])\n${writeFunction('findBlock(pc: usize, sp: usize)', lines)}`
  }

  /** The blocks that calls return to. */
  #writeReturns(): string {
    const lines: string[] = []
    for (const pc of this.#returns) {
      const block = this.#blocks.get(keyOf(this.#resolve({ pc, returnsTo: undefined })))
      if (block !== undefined) lines.push(`if (pc == ${pc}) return ${block}`)
    }
    return writeFunction('findReturn(pc: usize)', lines)
  }

  #operation(pc: number): OpName {
    return (INSTRUCTIONS[this.#word(pc) & 255] as Instruction).name
  }

  #word(pc: number, index = 0): number {
    return this.#program.code[pc + index] as number
  }
}

const POP_FRAME = 'sp -= ENTRY_SIZE\nif (sp < low) {\n  save(sp)\n  low = sp\n}'

/** The first word of the frame of a call. */
function callHead(returnsTo: number): number {
  return (returnsTo << 4) | EntryFlag.CALL
}

/** A function that finds the number of a block; 0 for none. */
function writeFunction(head: string, lines: readonly string[]): string {
  return `function ${head}: i32 {\n${indent([...lines, 'return 0'].join('\n'))}\n}`
}

function pushFrame(head: number, orStop: (condition: string) => string): string {
  return `${orStop('sp == stackEnd')}\npushEntry(sp, ${head}, <u32>(p - shift), <u32>(t - tapeShift), 0)\nsp += ENTRY_SIZE`
}

/** Writes a record up to p, where records are wanted. */
function record(type: number, start: string, first: string): string {
  return `if (part != stack) t = writeRecord(t, ${type}, ${start}, <u32>(p - shift), ${first})`
}

/** A name of a constant: a point may be written at several places, but not twice on one way. */
function nameOf(what: string, { pc, returnsTo }: Point): string {
  return returnsTo === undefined ? `${what}${pc}` : `${what}${pc}from${returnsTo}`
}

const TAKE_RUN = `if (rest != 0) {
  rest--
} else if (load<u8>(p) == 60 && part == stack) {
  const run = takeRun(p, shift, sp, low, t)
  if (run != 0) {
    p += <usize>load<u32>(run, RUN_MOVE)
    m = p - 1
    sp += <usize>load<u32>(run, RUN_RISE)
    t += recorded
    block = load<i32>(run, RUN_BLOCK)
    continue
  }
}
`
const BEGIN_RUNS = '  rest = load<u32>(register(RUNS), RUNS_REST)\n'
const END_RUNS = '  store<u32>(register(RUNS), rest, RUNS_REST)\n'

const PROLOGUE = `
/** Runs from a block on, and stops before what is not compiled. */
function advance(first: i32): void {
  const shift = register(WINDOW) - register(WINDOW_START)
  const end = register(INPUT_END) + shift
  const stack = register(STACK)
  const stackEnd = stack + register(STACK_SIZE)
  const tapeShift = register(TAPE) - register(TAPE_START)
  let p = register(POSITION) + shift
  let m = register(MARK) + shift
  let sp = stack + register(STACK_TOP)
  let t = register(TAPE_END) + tapeShift
  let low = stack + register(LOW)
  let part = stack + register(PART)
  let at: usize = 0
  let block = first
`

const LOOP = `  const behind = v128.load(end)
  v128.store(end, i8x16.splat(0))
  // Not for (;;): AssemblyScript 0.28 leaves out what comes after it.
  while (true) {
    switch (block) {`

const EPILOGUE = `
    default:
      unreachable()
    }
    break
  }
  v128.store(end, behind)
  setRegister(PC, at)
  setRegister(POSITION, p - shift)
  setRegister(MARK, m - shift)
  setRegister(STACK_TOP, sp - stack)
  setRegister(TAPE_END, t - tapeShift)
  setRegister(PART, part - stack)
  setRegister(LOW, low - stack)
`

function keyOf({ pc, returnsTo }: Point): string {
  return returnsTo === undefined ? `${pc}` : `${pc} returns to ${returnsTo}`
}

function align(address: number): number {
  return Math.ceil(address / 16) * 16
}

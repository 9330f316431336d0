// Code that matches text, and does something with it.

import { type Assembler, Label, wordOf } from '../../machine/program/assembler.ts'
import { ByteSet } from '../../machine/program/byte-set.ts'
import { CodePointSet } from '../../machine/program/code-point-set.ts'
import type { Note } from '../../machine/program/program.ts'
import type {
  ActionPattern,
  ClassPattern,
  ListedPattern,
  LiteralPattern,
  Terminal,
  UntilPattern,
} from '../pattern/pattern.ts'

/** Bytes that WORD can match. */
const LONGEST_WORD = 4

/** Matches a terminal by one instruction. */
export function emitTerminal(code: Assembler, pattern: Terminal, note: Note): void {
  switch (pattern.kind) {
    case 'literal':
      emitLiteral(code, pattern, note)
      break
    case 'class':
      emitClass(code, pattern, note)
      break
    case 'name':
      code.emit('NAME', [code.class(pattern.set), code.class(pattern.rest)], note)
      break
    case 'listed': {
      const failed = new Label()
      const done = new Label()
      emitListed(code, pattern, failed, note)
      code.emit('JUMP', [done])
      code.place(failed)
      code.emit('FAIL')
      code.place(done)
      break
    }
    case 'until':
      emitUntil(code, pattern, note)
      break
    case 'match':
      code.emit('MATCH_SYMBOL', [code.class(pattern.name.rest)], note)
      break
  }
}

function emitLiteral(code: Assembler, { bytes, ignoresCase }: LiteralPattern, note: Note): void {
  if (ignoresCase) {
    code.emit('FOLD', [code.literal(bytes), bytes.length], note)
  } else if (bytes.length === 1) {
    code.emit('BYTE', [bytes[0] as number], note)
  } else if (bytes.length <= LONGEST_WORD) {
    const { value, mask } = wordOf(bytes)
    code.emit('WORD', [bytes.length, value, mask], note)
  } else {
    code.emit('LITERAL', [code.literal(bytes), bytes.length], note)
  }
}

function emitClass(code: Assembler, { set, min, max }: ClassPattern, note: Note): void {
  const [range] = set.ranges
  const isByte = set.ranges.length === 1 && range && range[0] === range[1] && range[0] < 0x80
  if (min === 1 && max === 1 && isByte) code.emit('BYTE', [range[0]], note)
  else if (min === 1 && max === 1) code.emit('CLASS', [code.class(set)], note)
  else if (max === Number.POSITIVE_INFINITY) code.emit('SPAN', [code.class(set), min], note)
  else code.emit('SPAN_COUNTED', [code.class(set), min, max], note)
}

/** Matches one of several literals, or continues elsewhere. */
export function emitListed(code: Assembler, { literals }: ListedPattern, otherwise: Label, note: Note): void {
  code.emit('LISTED', [otherwise, code.literals(literals)], note)
}

function emitUntil(code: Assembler, { literals, min }: UntilPattern, note: Note): void {
  const first = ByteSet.of(...literals.map(([byte]) => byte as number))
  const others = CodePointSet.beginningWith(first).complement()
  code.emit('UNTIL', [code.class(others), code.literals(literals), min], note)
}

/** Does what is to be done with the name before it. */
export function emitAction(code: Assembler, pattern: ActionPattern): void {
  switch (pattern.action) {
    case 'push':
      code.emit('PUSH_SYMBOL', [code.type(pattern.type)])
      break
    case 'unique':
      code.emit('UNIQUE', [code.type(pattern.type)])
      break
    case 'pop':
      code.emit('POP_SYMBOL')
      break
    case 'scope':
      code.emit('SCOPE')
      break
    case 'signal':
      code.emit('SIGNAL', [pattern.code, code.literals(pattern.unless)])
      break
  }
}

// The text that a general entity stands for, read by a machine of its own.

import type { Program } from '../../machine/program/program.ts'
import type { MachineLimits } from '../../machine/run/limits.ts'
import type { Machine, Outcome } from '../../machine/run/machine.ts'
import { acquireMachine, releaseMachine } from '../../machine/run/pool.ts'
import { LimitError } from '../../stream/errors.ts'
import { shorten, UnplacedError } from '../errors/unplaced-error.ts'
import { explainSyntax } from '../explanation/explain.ts'
import { MarkupFinder } from '../explanation/open-markup.ts'
import { program as stored } from '../language/generated/replacement.ts'
import { restore } from '../language/programs.ts'
import { type Name, NameTable, readName } from '../names/names.ts'
import { partTypesOf } from '../tape/part-types.ts'
import { type FrameSource, RECORD_WORDS } from '../tape/tape-frame.ts'

/** Where the specification says what a replacement text must be. */
const CONSTRAINT = 'XML 1.0, section 4.3.2'

const encoder = new TextEncoder()
let program: Program | undefined

/**
 * The replacement text of a general entity, as a machine of its own reads it. `place` is the offset of the reference. Throws an {@link UnplacedError} for text that is not
 * well-formed, and a `LimitError`.
 */
export function parseReplacement(name: string, text: string, limits: MachineLimits, place: number): FrameSource {
  const bytes = encoder.encode(text)
  program ??= restore('replacement', stored)
  const machine = acquireMachine(program, undefined)
  try {
    machine.begin(program, limits)
    const pieces: Int32Array[] = []
    for (let rest = bytes; ; ) {
      const length = rest.length === 0 ? 0 : machine.append(rest)
      rest = rest.subarray(length)
      if (rest.length === 0) machine.finish()
      let outcome = machine.run()
      for (;;) {
        const view = machine.readTape()
        if (view) pieces.push(view.words.slice())
        view?.drop(view.words.length / RECORD_WORDS)
        if (outcome !== 'part' && outcome !== 'paused') break
        outcome = machine.run()
      }
      if (outcome === 'done') break
      if (outcome !== 'input') {
        throw new UnplacedError(
          `in the entity ${shorten(name)}: ${explainContent(machine, outcome)}`,
          'entity-content',
          CONSTRAINT,
        )
      }
    }
    const names: Name[] = []
    const words = join(pieces)
    const table = new NameTable((symbol) => names[symbol] as Name)
    // The machine is given back: its names are copied.
    for (let symbol = 1; symbol <= machine.nameCount; symbol++) names[symbol] = machine.readName(symbol, readName)
    return { words, bytes, start: 0, from: 0, names: table, types: partTypesOf(program), normalizesLineEnds: false }
  } catch (error) {
    throw error instanceof LimitError ? limitAt(error, name, place) : error
  } finally {
    releaseMachine(machine)
  }
}

/** A limit that the replacement text of an entity exceeds. It is reported at the reference. */
function limitAt(error: LimitError, name: string, byteOffset: number): LimitError {
  const { code, limit } = error
  const what = code === 'depth-limit' ? `more than ${limit} elements are open (maxDepth)` : error.message
  return new LimitError(`in the entity ${shorten(name)}: ${what}`, { code, byteOffset, limit })
}

/** What is wrong with a replacement text. The place where something was opened in it is not reported: it would look like a place in the document. */
function explainContent(machine: Machine, outcome: Outcome): string {
  const { openSymbol } = machine
  const element = openSymbol && { name: machine.nameOf(openSymbol.symbol), place: undefined }
  const found = outcome === 'failed' ? new MarkupFinder(machine, 0).find(machine.farthest) : undefined
  const markup = found && { ...found, position: undefined }
  const { message, position } = explainSyntax(machine, outcome, { element, markup, input: 'its text' })
  const isEnd = position.byteOffset >= machine.inputEnd
  return isEnd ? message : `${message} (line ${position.line}, column ${position.column} of its text)`
}

function join(pieces: readonly Int32Array[]): Int32Array {
  const [only] = pieces
  if (pieces.length === 1 && only) return only
  const joined = new Int32Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}

// Programs as plain data, so that they can be assembled once and kept in files. What is in their messages is kept apart (stored-messages.ts).

import { decodeBytes } from '../../kernel/embedded-bytes.ts'
import type { KernelCode, Program } from './program.ts'
import type { Messages } from './stored-messages.ts'

/** What runs a program, without its messages. */
export interface StoredProgram {
  /** The code, as little-endian words, and the data, as text (kernel/embedded-bytes.ts). */
  readonly code: string
  readonly data: string
  readonly types: readonly string[]
  readonly parts: readonly number[]
  readonly labels: readonly string[]
  readonly alphabet: Program['alphabet']
  readonly usesSymbols: boolean
  readonly procedures: readonly (readonly [number, string])[]
}

/**
 * Restores a program. `messages` are those of a set of programs, of which it is the one with this name. As long as they are not there, there are no notes, and there must be
 * nothing to explain. `kernel` is what runs it, once that is there.
 */
export function restoreProgram(
  name: string,
  stored: StoredProgram,
  messages: () => Messages | undefined,
  kernel: () => KernelCode | undefined,
): Program {
  const required = () => {
    const known = messages()
    if (!known) throw new Error('the messages of programs are used before they were loaded')
    return known
  }
  const { types, labels, alphabet, usesSymbols } = stored
  return {
    get kernel() {
      return kernel()
    },
    code: toWords(decodeBytes(stored.code)),
    data: decodeBytes(stored.data),
    types,
    parts: new Set(stored.parts),
    labels,
    alphabet,
    usesSymbols,
    recoveries: [],
    procedures: new Map(stored.procedures),
    notes: { get: (at) => messages()?.note(name, at) },
    get start() {
      return required().notesOf(name).start
    },
    get ruleLabels() {
      return new Map(required().notesOf(name).ruleLabels)
    },
  }
}

function toWords(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const words = new Uint32Array(bytes.length / 4)
  for (let i = 0; i < words.length; i++) words[i] = view.getUint32(4 * i, true)
  return words
}

// Code that decides by the next bytes.

import { type Assembler, Label, wordOf } from '../../machine/program/assembler.ts'
import type { Note } from '../../machine/program/program.ts'
import type { Decision, DecisionLeaf, DecisionSwitch, DecisionWay } from '../analysis/decision.ts'

/**
 * Goes to the block of the leaf that the next bytes lead to. Where it can just continue, it has the block put down there; `emitBlock` says
 * whether it did, which it does once for a leaf at the most.
 */
export function emitDecision(
  code: Assembler,
  root: Decision,
  blocks: ReadonlyMap<Decision, Label>,
  emitBlock: (leaf: DecisionLeaf) => boolean,
  note: Note,
): void {
  const emission = new Emission(code, blocks, emitBlock, note)
  emission.goOn(root)
  emission.finish()
}

class Emission {
  readonly #code: Assembler
  readonly #labels: Map<Decision, Label>
  readonly #emitBlock: (leaf: DecisionLeaf) => boolean
  readonly #note: Note
  /** Looks that something leads to and that are not put down yet. */
  readonly #waiting = new Set<DecisionSwitch>()

  constructor(
    code: Assembler,
    blocks: ReadonlyMap<Decision, Label>,
    emitBlock: (leaf: DecisionLeaf) => boolean,
    note: Note,
  ) {
    this.#code = code
    this.#labels = new Map(blocks)
    this.#emitBlock = emitBlock
    this.#note = note
  }

  /** Puts down what comes next here, or a jump there. */
  goOn(node: Decision): void {
    const label = this.#labelOf(node)
    if (node.kind === 'switch' && this.#waiting.delete(node)) {
      this.#code.place(label)
      this.#emitLook(node)
    } else if (node.kind === 'switch' || !this.#emitBlock(node)) {
      this.#code.emit('JUMP', [label])
    }
  }

  finish(): void {
    for (const node of this.#waiting) this.goOn(node)
  }

  #labelOf(node: Decision): Label {
    const known = this.#labels.get(node)
    if (known) return known
    const label = new Label()
    this.#labels.set(node, label)
    if (node.kind === 'switch') this.#waiting.add(node)
    return label
  }

  #emitLook(node: DecisionSwitch): void {
    const { depth, ways, end } = node
    const code = this.#code
    const otherwise = this.#labelOf(end)
    const [only, ...more] = this.#waysInside(node)
    if (!only || more.length > 0) {
      const targets: Label[] = []
      for (const { bytes, next } of ways) for (const byte of bytes.list) targets[byte] = this.#labelOf(next)
      code.emit('SWITCH', [depth, code.table(targets, otherwise)], this.#note)
      return
    }
    const literal = this.#literalOf(node)
    if (literal.bytes.length > 1) {
      const { value, mask } = wordOf(Uint8Array.from(literal.bytes))
      code.emit('TEST_WORD', [otherwise, value, mask], this.#note)
      this.goOn(literal.next)
    } else {
      code.emit('TEST', [otherwise, depth, code.set(only.bytes)], this.#note)
      this.goOn(only.next)
    }
  }

  /** The ways that do not lead where the end of the input leads; those that lead to the same place are one. */
  #waysInside({ ways, end }: DecisionSwitch): DecisionWay[] {
    const otherwise = this.#labelOf(end)
    const inside = new Map<Label, DecisionWay>()
    for (const way of ways) {
      const label = this.#labelOf(way.next)
      const known = inside.get(label)
      if (label !== otherwise) inside.set(label, known ? { ...way, bytes: known.bytes.union(way.bytes) } : way)
    }
    return [...inside.values()]
  }

  /** The bytes that a chain of looks from the first byte on asks for, as long as all other ways lead to the same place. */
  #literalOf(root: DecisionSwitch): { bytes: number[]; next: Decision } {
    const otherwise = this.#labelOf(root.end)
    const bytes: number[] = []
    let node: Decision = root
    while (root.depth === 0 && node.kind === 'switch' && this.#labelOf(node.end) === otherwise) {
      const [only, ...more] = this.#waysInside(node)
      if (only?.bytes.size !== 1 || more.length > 0) break
      bytes.push(only.bytes.list[0] as number)
      node = only.next
    }
    return { bytes, next: node }
  }
}

// Code that decides by the next bytes.

import { type Assembler, Label } from '../machine/assembler.ts'
import { ByteSet } from '../machine/byte-set.ts'
import type { Note } from '../machine/program.ts'
import type { Decision, DecisionLeaf, DecisionSwitch } from './decision.ts'
import { wordOf } from './emit-terminal.ts'

/**
 * Goes to the block of the leaf that the next bytes lead to. Where it can just go on, it has the block put down there; `emitBlock` says
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
    const inside = new Set(ways.filter((way) => this.#labelOf(way) !== otherwise))
    const [only] = inside
    const literal = this.#literalOf(node)
    if (inside.size !== 1 || !only) {
      const targets = ways.map((way) => this.#labelOf(way))
      code.emit('SWITCH', [depth, code.table(targets, otherwise)], this.#note)
    } else if (literal.bytes.length > 1) {
      const { value, mask } = wordOf(Uint8Array.from(literal.bytes))
      code.emit('TEST_WORD', [otherwise, value, mask], this.#note)
      this.goOn(literal.leadsTo)
    } else {
      const bytes = ways.flatMap((way, byte) => (way === only ? [byte] : []))
      code.emit('TEST', [otherwise, depth, code.set(ByteSet.of(...bytes))], this.#note)
      this.goOn(only)
    }
  }

  /** The bytes that a chain of looks from the first byte on asks for, as long as all other ways lead to the same place. */
  #literalOf(root: DecisionSwitch): { bytes: number[]; leadsTo: Decision } {
    const otherwise = this.#labelOf(root.end)
    const isOther = (way: Decision) => this.#labelOf(way) === otherwise
    const bytes: number[] = []
    let node: Decision = root
    while (root.depth === 0 && node.kind === 'switch' && isOther(node.end)) {
      const inside: number[] = node.ways.flatMap((way, byte) => (isOther(way) ? [] : [byte]))
      if (inside.length !== 1) break
      bytes.push(inside[0] as number)
      node = node.ways[inside[0] as number] as Decision
    }
    return { bytes, leadsTo: node }
  }
}

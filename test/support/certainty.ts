// Checks the nodes that machines yield before the input is complete: they must belong to the parse whatever comes after.

import type { Grammar } from '../../source/grammar/index.ts'
import type { Program } from '../../source/machine/program/program.ts'
import { DEFAULT_LIMITS } from '../../source/machine/run/limits.ts'
import type { Machine } from '../../source/machine/run/machine.ts'
import { takeParts } from '../../source/machine/tree/tape.ts'
import { type Shape, shapeOf } from './machine.ts'
import { matchNaively, type Node } from './naive-grammar.ts'

/** Which nodes are yielded. */
export interface Emission {
  readonly emit: readonly string[]
  readonly nested: 'outermost' | 'innermost'
  readonly isPartial: boolean
}

const encoder = new TextEncoder()

/**
 * What is wrong with the nodes that the machines yield for `prefix` before they have seen more; undefined if they are right. They must be the first nodes
 * that a naive interpreter finds in each completion that matches. If a completion does not match, no machine may withdraw a node.
 */
export function findRetraction(
  grammar: Grammar,
  machines: readonly Machine[],
  { emit, nested, isPartial }: Emission,
  prefix: string,
  suffixes: readonly string[],
): string | undefined {
  const { program } = grammar.compile({ entry: 'program', parts: new Set(emit), nested, isPartial })
  const start = (machine: Machine) => {
    machine.begin(program, DEFAULT_LIMITS)
    return new Reading(machine)
  }
  for (const suffix of suffixes) {
    const input = prefix + suffix
    const naive = matchNaively(grammar.rules, input, isPartial)
    if (naive === 'too long') continue
    const expected = naive === 'fails' ? undefined : findNodes(naive, new Set(emit), nested).map(toShape)
    let first: string | undefined
    for (const machine of machines) {
      for (const pieces of [[prefix, suffix], Array.from(input)]) {
        const reading = start(machine)
        const waiting = pieces.flatMap((piece) => reading.append(piece))
        const certain = format(waiting)
        const all = [...waiting, ...reading.finish()]
        const wrong = (what: string) => `${JSON.stringify(pieces)}: ${what}: ${certain} before ${format(all)}`
        if (expected && format(all) !== format(expected)) return wrong(`not ${format(expected)}`)
        first ??= format(all)
        if (format(all) !== first) return wrong(`not ${first}, as in other pieces`)
      }
      const certain = start(machine).append(prefix)
      const handed = JSON.parse(first as string) as Shape[]
      if (format(certain) !== format(handed.slice(0, certain.length)))
        return `${JSON.stringify(prefix)} gives ${format(certain)}, but with ${JSON.stringify(suffix)} ${first}`
    }
  }
  return undefined
}

const format = (shapes: readonly Shape[]) => JSON.stringify(shapes)

function toShape([type, start, end, children]: Node): Shape {
  return [type, start, end, ...children.map(toShape)]
}

/** The nodes of some rules in a tree, in the order in which they end. */
function findNodes(node: Node, emit: ReadonlySet<string>, nested: Emission['nested']): Node[] {
  const [type, , , children] = node
  if (emit.has(type) && nested === 'outermost') return [node]
  const inner = children.flatMap((child) => findNodes(child, emit, nested))
  return emit.has(type) && inner.length === 0 ? [node] : inner
}

/** Omitted parts of a literal are not nodes. */
function withoutHoles([type, start, end, ...children]: Shape): Shape {
  return type === 'literal' ? [type, start, end] : [type, start, end, ...children.map(withoutHoles)]
}

/** A parse that gets its input in pieces, and gives the nodes that are certain after each piece. */
class Reading {
  readonly #machine: Machine
  #isOver = false

  constructor(machine: Machine) {
    this.#machine = machine
  }

  append(text: string): Shape[] {
    const shapes = this.#run()
    if (this.#isOver) return shapes
    const bytes = encoder.encode(text)
    if (this.#machine.append(bytes) !== bytes.length) throw new Error('the window is too small for a test')
    return [...shapes, ...this.#run()]
  }

  finish(): Shape[] {
    this.#machine.finish()
    return this.#run()
  }

  #run(): Shape[] {
    const program = this.#machine.program as Program
    const shapes: Shape[] = []
    while (!this.#isOver) {
      const outcome = this.#machine.run()
      for (const parts of takeParts(this.#machine)) {
        for (const root of parts.roots) shapes.push(withoutHoles(shapeOf(program, parts, root)))
      }
      if (outcome === 'input') break
      this.#isOver = outcome !== 'part' && outcome !== 'paused'
    }
    return shapes
  }
}

// Running programs on both engines, complete and cut, and comparing all that can be observed.

import { GENERAL_KERNEL } from '../../source/machine/program/general-kernel.ts'
import type { Program } from '../../source/machine/program/program.ts'
import type { Engine } from '../../source/machine/run/engine.ts'
import { makeKernelEngine } from '../../source/machine/run/kernel-engine.ts'
import { DEFAULT_LIMITS, type MachineLimits } from '../../source/machine/run/limits.ts'
import type { Machine, Outcome } from '../../source/machine/run/machine.ts'
import { PlainEngine } from '../../source/machine/run/plain-engine.ts'
import type { Parts } from '../../source/machine/tree/tape.ts'
import { takeParts } from '../../source/machine/tree/tape.ts'
import { cutPlaces } from './collect.ts'
import { sample } from './extent.ts'

/** A node as nested arrays: type, start, end, children. */
export type Shape = [type: string, start: number, end: number, ...children: Shape[]]

/** All that a run shows, apart from when the parts came. */
export interface Run {
  outcome: Outcome
  /** The outcomes on the way that are not about input or parts. */
  signals: number[]
  label: string | undefined
  position: number
  farthest: number
  malformedAt: number | undefined
  parts: Shape[]
}

/** One engine of each kind. */
export function makeEngines(): Engine[] {
  const kernel = makeKernelEngine(GENERAL_KERNEL)
  if (!kernel) throw new Error('this test needs WebAssembly')
  return [kernel, new PlainEngine()]
}

/** Runs a machine until it stops for something else than that it has run for long. */
export function runOn(machine: Machine): Outcome {
  let outcome = machine.run()
  while (outcome === 'paused') outcome = machine.run()
  return outcome
}

/** Runs a program on the pieces of an input. `watch` is called at each stop. */
export function runProgram(
  machine: Machine,
  program: Program,
  pieces: readonly Uint8Array[],
  { limits = {}, watch = () => {} }: { limits?: Partial<MachineLimits>; watch?: (machine: Machine) => void } = {},
): Run {
  machine.begin(program, { ...DEFAULT_LIMITS, ...limits })
  const rest = [...pieces]
  const parts: Shape[] = []
  const signals: number[] = []
  for (;;) {
    const outcome = machine.run()
    watch(machine)
    for (const taken of takeParts(machine)) for (const root of taken.roots) parts.push(shapeOf(program, taken, root))
    if (outcome === 'part' || outcome === 'paused') continue
    if (outcome === 'signal') {
      signals.push(machine.label)
      continue
    }
    if (outcome === 'input') {
      const piece = rest.shift()
      if (!piece) {
        machine.finish()
        continue
      }
      const taken = machine.append(piece)
      if (taken < piece.length) rest.unshift(piece.subarray(taken))
      continue
    }
    const { position, farthest, malformedAt } = machine
    const label = outcome === 'label' ? program.labels[machine.label] : undefined
    return { outcome, signals, label, position, farthest, malformedAt, parts }
  }
}

/** The tree of a part, made without any of the code that makes nodes. */
export function shapeOf(program: Program, { records, tapeStart }: Parts, root: number): Shape {
  const make = (record: number): Shape => {
    const [type = 0, start = 0, end = 0, first = 0] = records.subarray(record * 4, record * 4 + 4)
    const children: Shape[] = []
    const firstRecord = ((first - tapeStart) >>> 0) / 16
    for (let child = record - 1; child >= firstRecord; ) {
      children.unshift(make(child))
      child = (((records[child * 4 + 3] as number) - tapeStart) >>> 0) / 16 - 1
    }
    return [program.types[type] as string, start, end, ...children]
  }
  return make(root)
}

/** Every way to cut bytes in two, the complete bytes, and byte by byte. */
export function* cutsOf(bytes: Uint8Array): Generator<Uint8Array[], void, undefined> {
  yield [bytes]
  yield Array.from(bytes, (byte) => Uint8Array.of(byte))
  for (const cut of cutPlaces(bytes.length)) yield [bytes.subarray(0, cut), bytes.subarray(cut)]
}

/** The same for an engine; of the plain one, with which most tests compare, a sample of the cuts. */
export function cutsFor(engine: 'wasm' | 'plain', bytes: Uint8Array): readonly Uint8Array[][] {
  const [whole = [], ...cuts] = cutsOf(bytes)
  return [whole, ...(engine === 'plain' ? sample(cuts, 2) : cuts)]
}

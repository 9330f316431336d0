// Machines that wait for their next parse. An instance with its memory costs about a millisecond, which a small parse must not.

import { withCode } from '../../stream/errors.ts'
import type { KernelCode, Program } from '../program/program.ts'
import type { Engine, EngineName } from './engine.ts'
import { canRunKernel, makeKernelEngine } from './kernel-engine.ts'
import { Machine } from './machine.ts'
import { PlainEngine } from './plain-engine.ts'

/** Machines that wait, at the most. */
const MOST_IDLE = 8
/** Bytes of memory that they may have together, so that large parses do not cost for ever. */
const MOST_MEMORY = 32 * 1024 * 1024

const idle: Machine[] = []

/**
 * A machine for a program; give it back with {@link releaseMachine}. Without a name, the kernel if it was loaded and can run, else its twin.
 *
 * Throws a `TypeError` with the code `no-engine` when the kernel is asked for and cannot run.
 */
export function acquireMachine(program: Program, engine: EngineName | undefined): Machine {
  const { kernel } = program
  const name = engine ?? (kernel && canRunKernel(kernel) ? 'wasm' : 'plain')
  const fits = (machine: Machine) => {
    return machine.engine.name === name && (name === 'plain' || machine.engine.kernel === kernel)
  }
  let index = idle.findLastIndex((machine) => machine.program === program && fits(machine))
  if (index === -1) index = idle.findLastIndex(fits)
  return (
    idle.splice(index, index === -1 ? 0 : 1)[0] ??
    new Machine(name === 'plain' ? new PlainEngine() : makeEngine(kernel))
  )
}

/** Gives a machine back. It must not be used by the caller any more. */
export function releaseMachine(machine: Machine): void {
  if (machine.memory.length > MOST_MEMORY) return
  idle.push(machine)
  while (idle.length > MOST_IDLE || sumMemory() > MOST_MEMORY) idle.shift()
}

function sumMemory(): number {
  return idle.reduce((sum, { memory }) => sum + memory.length, 0)
}

export function makeEngine(kernel: KernelCode | undefined): Engine {
  const engine = kernel && makeKernelEngine(kernel)
  if (engine) return engine
  throw withCode(new TypeError('WebAssembly with SIMD is not available here; use the plain engine'), 'no-engine')
}

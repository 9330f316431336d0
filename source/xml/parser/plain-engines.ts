// The engine without WebAssembly. Hardly anybody needs it, so it is loaded for the first document that does.

import { LazyModule } from '../../async/lazy-module.ts'
import type { Program } from '../../machine/program/program.ts'
import type { EngineName } from '../../machine/run/engine.ts'
import { canRunKernel } from '../../machine/run/kernel-engine.ts'

export const plainEngines = new LazyModule(() => import('../../machine/run/plain-engine.ts'))

/** Whether a program needs it that is to be run by an engine, or by the best there is. */
export function needsPlainEngine({ kernel }: Program, engine: EngineName | undefined): boolean {
  return engine === 'plain' || (engine === undefined && !canRunKernel(kernel))
}

// From checked rules to a program.

import type { Program } from '../../machine/program/program.ts'
import { type PassNote, runPasses } from '../passes/index.ts'
import { Lowering, type Wanted } from '../pattern/lower.ts'
import { type Procedure, proceduresFrom } from '../pattern/pattern.ts'
import type { Rule } from '../syntax/expression.ts'
import type { ValueAction } from '../values/action.ts'
import { assemble, type RewindPoint } from './assemble.ts'
import { Expectations } from './expectations.ts'

/** What a program is for. */
export interface Purpose extends Wanted {
  readonly entry: string
  /** Whether the entry may match a beginning of the input only; not unless it is said. */
  readonly isPartial?: boolean | undefined
  /** Which code points the input may have: any, unless it is said. */
  readonly alphabet?: Program['alphabet']
}

/** A program and how it came about. */
export interface Compilation {
  /** What the program begins with, as it is after the passes. */
  readonly entry: Procedure
  readonly program: Program
  /** A path of parts that leads to none. */
  readonly missingPart: string | undefined
  /** What becomes of the nodes of a program for values, by their types. */
  readonly actions: ReadonlyMap<string, ValueAction>
  readonly notes: readonly PassNote[]
  readonly rewindPoints: readonly RewindPoint[]
  /** Choices and repetitions that are decided by the next bytes. */
  readonly decided: number
}

/** A grammar that programs are made of (grammar.ts). */
export interface Compilable {
  readonly rules: readonly Rule[]
  readonly entry: string
  compile(purpose: Purpose): Compilation
}

/** Compiles the rules that the entry can reach. They have passed the checks. */
export function compile(rules: ReadonlyMap<string, Rule>, purpose: Purpose): Compilation {
  const lowering = new Lowering(rules, purpose)
  const entry = lowering.entry(purpose.entry)
  const notes = runPasses(entry)
  const ruleLabels = new Map<string, string>()
  for (const { name, label } of rules.values()) if (label !== undefined) ruleLabels.set(name, label)
  const { program, ...assembly } = assemble({
    entry,
    procedures: proceduresFrom(entry),
    isPartial: purpose.isPartial ?? false,
    ruleLabels,
    expectations: new Expectations(rules),
  })
  return {
    entry,
    ...assembly,
    missingPart: lowering.missingPart,
    actions: lowering.actions,
    program: { ...program, alphabet: purpose.alphabet ?? program.alphabet },
    notes,
  }
}

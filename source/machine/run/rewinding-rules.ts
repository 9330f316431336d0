// Which rules of a grammar go back, for the error that they have done so too often.

import type { Program } from '../program/program.ts'
import type { Machine } from './machine.ts'

/** The rules that may still go back where the machine stands, those that may most often first. */
export function findRewindingRules(machine: Machine): string[] {
  const { notes, code } = machine.program as Program
  const targets = new Map<number, number>()
  for (const target of machine.rewindTargets) targets.set(target, (targets.get(target) ?? 0) + 1)
  const counts = new Map<string, number>()
  for (const [target, count] of targets) {
    // What is tried next says in which rule that is: the first instruction from there on that has a note.
    let at = target
    while (at < code.length && !notes.get(at)?.rules.length) at++
    const rule = notes.get(at)?.rules.at(-1)
    if (rule !== undefined) counts.set(rule, (counts.get(rule) ?? 0) + count)
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([rule]) => rule)
}

// Which rules of a grammar go back, for the error that they have done so too often.

import type { Program } from '../program/program.ts'

/** The rules that may still go back to one of these instructions, those that may most often first. */
export function findRewindingRules({ notes, code }: Program, rewindTargets: readonly number[]): string[] {
  const targets = new Map<number, number>()
  for (const target of rewindTargets) targets.set(target, (targets.get(target) ?? 0) + 1)
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

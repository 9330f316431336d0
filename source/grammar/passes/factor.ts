// Options in a row that begin alike become one: what they have in common, and a choice of how they go on. Nothing that matches
// changes, since an expression matches in one way only; nodes may be in common as well, since what they are is recorded when they close.

import { type ChoicePattern, isEqual, itemsOf, mapChildren, type Pattern, sequence } from '../pattern.ts'
import type { Pass } from './index.ts'

export const factor: Pass = (procedures, tell) => {
  for (const procedure of procedures) {
    procedure.body = change(procedure.body, (count) => tell(procedure.rule, `${count} options begin alike`))
  }
}

function change(pattern: Pattern, tell: (count: number) => void): Pattern {
  const changed = mapChildren(pattern, (child) => change(child, tell))
  return changed.kind === 'choice' ? factorChoice(changed, tell) : changed
}

function factorChoice(choice: ChoicePattern, tell: (count: number) => void): Pattern {
  const options: Pattern[] = []
  for (let i = 0; i < choice.options.length; ) {
    const alike = takeAlike(choice.options.slice(i))
    options.push(alike.length > 1 ? factorAlike(alike, choice, tell) : (choice.options[i] as Pattern))
    i += alike.length
  }
  return options.length === 1 ? (options[0] as Pattern) : { ...choice, options }
}

/** The options at the start of a list that begin with the same item. */
function takeAlike(options: readonly Pattern[]): Pattern[] {
  const [head] = itemsOf(options[0] as Pattern)
  const isAlike = (option: Pattern) => {
    const [other] = itemsOf(option)
    return head !== undefined && other !== undefined && canShare(head) && isEqual(head, other)
  }
  const end = options.findIndex((option) => !isAlike(option))
  return options.slice(0, end === -1 ? options.length : Math.max(1, end))
}

/** A cut and a labelled failure say something about the option they stand in. */
function canShare({ kind }: Pattern): boolean {
  return kind !== 'cut' && kind !== 'throw'
}

function factorAlike(alike: readonly Pattern[], choice: ChoicePattern, tell: (count: number) => void): Pattern {
  const [head] = itemsOf(alike[0] as Pattern)
  const rests = alike.map((option) => sequence(itemsOf(option).slice(1)))
  if (head?.kind !== 'open') tell(alike.length)
  return sequence([head as Pattern, factorChoice({ ...choice, options: rests }, tell)])
}

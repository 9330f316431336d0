// A choice of single characters is a set of them.

import { CodePointSet } from '../../machine/code-point-set.ts'
import { type ChoicePattern, type ClassPattern, itemsOf, mapChildren, type Pattern, sequence } from '../pattern.ts'
import type { Pass } from './index.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export const joinSets: Pass = (procedures, tell) => {
  for (const procedure of procedures) {
    procedure.body = change(procedure.body, (count) => tell(procedure.rule, `${count} options are one set`))
  }
}

function change(pattern: Pattern, tell: (count: number) => void): Pattern {
  const changed = mapChildren(pattern, (child) => change(child, tell))
  return changed.kind === 'choice' ? joinOptions(changed, tell) : changed
}

/** Runs of options that match one character each, and record the same, become one option. */
function joinOptions(choice: ChoicePattern, tell: (count: number) => void): Pattern {
  const options: Pattern[] = []
  for (const option of choice.options) {
    const previous = options.at(-1)
    const joined = previous && joinTwo(previous, option)
    if (joined) options.splice(-1, 1, joined)
    else options.push(option)
  }
  const joined = choice.options.length - options.length
  if (joined > 0) tell(joined + 1)
  return options.length === 1 ? (options[0] as Pattern) : { ...choice, options }
}

function joinTwo(one: Pattern, other: Pattern): Pattern | undefined {
  const [first, leaf, ...more] = itemsOf(one)
  const [second, otherLeaf, ...evenMore] = itemsOf(other)
  const set = first && asSet(first)
  const otherSet = second && asSet(second)
  if (!set || !otherSet || more.length + evenMore.length > 0) return undefined
  if (leaf === undefined && otherLeaf === undefined) return join(set, otherSet)
  if (leaf?.kind !== 'leaf' || otherLeaf?.kind !== 'leaf' || leaf.type !== otherLeaf.type) return undefined
  return sequence([join(set, otherSet), leaf])
}

function join(one: ClassPattern, other: ClassPattern): ClassPattern {
  const known = new Set(one.expects.map(({ text }) => text))
  const expects = [...one.expects, ...other.expects.filter(({ text }) => !known.has(text))]
  return { ...one, set: one.set.union(other.set), expects, path: commonPath(one.path, other.path) }
}

function commonPath(one: readonly string[], other: readonly string[]): readonly string[] {
  const length = one.findIndex((rule, i) => rule !== other[i])
  return length === -1 ? one : one.slice(0, length)
}

/** A terminal that matches exactly one character, as a set. */
function asSet(pattern: Pattern): ClassPattern | undefined {
  if (pattern.kind === 'class') return pattern.min === 1 && pattern.max === 1 ? pattern : undefined
  if (pattern.kind !== 'literal' || pattern.ignoresCase) return undefined
  const points = Array.from(decoder.decode(pattern.bytes), (character) => character.codePointAt(0) as number)
  if (points.length !== 1) return undefined
  const set = CodePointSet.of(points.map((point) => [point, point]))
  return { kind: 'class', set, min: 1, max: 1, expects: pattern.expects, path: pattern.path }
}

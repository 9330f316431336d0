// A choice of single characters is a set of them.

import { CodePointSet } from '../../machine/program/code-point-set.ts'
import { type ChoicePattern, type ClassPattern, itemsOf, type Pattern, sequence } from '../pattern/pattern.ts'
import { changeEach, joinRuns } from './pass.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export const joinSets = changeEach((pattern, tell) => {
  return pattern.kind === 'choice' ? joinOptions(pattern, tell) : pattern
})

/** An option that matches one character, and the type of its node, if it is recorded. */
interface SingleOption {
  readonly set: ClassPattern
  readonly type: string | undefined
}

/** Runs of options that match one character each, and record the same, become one option. */
function joinOptions(choice: ChoicePattern, tell: (text: string) => void): Pattern {
  let joined = 0
  const changed = joinRuns(choice, asSingle, 2, (run) => {
    joined += run.length - 1
    const type = run[0]?.type
    return [sequence(type === undefined ? [join(run)] : [join(run), { kind: 'leaf', type }])]
  })
  if (joined > 0) tell(`${joined + 1} options are one set`)
  return changed
}

function asSingle(option: Pattern): SingleOption | undefined {
  const [first, leaf, ...more] = itemsOf(option)
  const set = first && asSet(first)
  if (!set || more.length > 0 || (leaf && leaf.kind !== 'leaf')) return undefined
  return { set, type: leaf?.type }
}

function join(run: readonly SingleOption[]): ClassPattern {
  const [{ set: first }] = run as [SingleOption]
  return {
    ...first,
    set: CodePointSet.of(run.flatMap(({ set }) => set.set.ranges)),
    origins: run.flatMap(({ set }) => set.origins),
  }
}

/** A terminal that matches exactly one character, as a set. */
function asSet(pattern: Pattern): ClassPattern | undefined {
  if (pattern.kind === 'class') return pattern.min === 1 && pattern.max === 1 ? pattern : undefined
  if (pattern.kind !== 'literal' || pattern.ignoresCase || pattern.bytes.length > LONGEST_CHARACTER) return undefined
  const points = Array.from(decoder.decode(pattern.bytes), (character) => character.codePointAt(0) as number)
  if (points.length !== 1) return undefined
  const set = CodePointSet.of(points.map((point) => [point, point]))
  return { kind: 'class', set, min: 1, max: 1, origins: pattern.origins }
}

/** Bytes of a character in UTF-8. */
const LONGEST_CHARACTER = 4

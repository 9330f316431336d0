// The way through a rule, as a railroad diagram draws it: what is drawn, without drawing it.

import type { Count, Expression, Rule } from 'xylem/grammar'

/** A part of the way. `rail` is what the drawing and the description in words have in common. */
export type Track =
  | { readonly rail: 'text' | 'rule' | 'note'; readonly label: string }
  | { readonly rail: 'sequence' | 'choice'; readonly tracks: readonly Track[] }
  /** One or more times; `note` stands beside the way back. */
  | { readonly rail: 'loop'; readonly track: Track; readonly note: string | undefined }
  | { readonly rail: 'optional'; readonly track: Track }
  /** Matched, and left out of the tree. */
  | { readonly rail: 'omitted'; readonly track: Track }

/** Characters of a label; longer ones are shortened. */
const LONGEST_LABEL = 40
/** Characters of a description. */
const LONGEST_DESCRIPTION = 400

/** The way through a rule. `text` is the grammar that the rule is from. */
export function trackOf(rule: Rule, text: string): Track {
  return sequenceOf(rule.members, text)
}

/** How many parts a way has. */
export function countTracks(track: Track): number {
  if ('tracks' in track) return track.tracks.reduce((sum, inner) => sum + countTracks(inner), 1)
  return 'track' in track ? countTracks(track.track) + 1 : 1
}

/** The way in words: `name, then zero or more of (",", then name)`. */
export function describeTrack(track: Track): string {
  const description = describe(track)
  return description.length <= LONGEST_DESCRIPTION ? description : `${description.slice(0, LONGEST_DESCRIPTION)}…`
}

function sequenceOf(expressions: readonly Expression[], text: string): Track {
  const tracks = expressions.map((expression) => trackOfExpression(expression, text))
  const [only] = tracks
  return only && tracks.length === 1 ? only : { rail: 'sequence', tracks }
}

function trackOfExpression(expression: Expression, text: string): Track {
  const written = (): string => shorten(text.slice(expression.at.start, expression.at.end))
  switch (expression.kind) {
    case 'literal':
      return { rail: 'text', label: written() }
    case 'class':
      return repeat({ rail: 'text', label: withoutCount(written(), expression.count) }, expression.count)
    case 'not': {
      const operand = text.slice(expression.operand.at.start, expression.operand.at.end)
      const isAny = expression.operand.kind === 'literal' && expression.operand.text === ''
      const label = isAny ? 'any character' : shorten(`any but ${operand}`)
      return repeat({ rail: 'text', label }, expression.count)
    }
    case 'reference':
      return { rail: 'rule', label: expression.name }
    case 'group':
      return sequenceOf(expression.items, text)
    case 'choice':
      return { rail: 'choice', tracks: expression.options.map((option) => trackOfExpression(option, text)) }
    case 'repeat': {
      const { operand, separator, count } = expression
      const track = trackOfExpression(operand, text)
      if (!separator) return repeat(track, count)
      const note = shorten(`between: ${text.slice(separator.at.start, separator.at.end)}`)
      const loop: Track = { rail: 'loop', track, note }
      return count.min === 0 ? { rail: 'optional', track: loop } : loop
    }
    case 'field': {
      const track = trackOfExpression(expression.operand, text)
      return expression.isFlag ? { rail: 'optional', track } : track
    }
    case 'fold':
      return { rail: 'note', label: `${expression.name}: what was made so far` }
    case 'omit':
      return { rail: 'omitted', track: trackOfExpression(expression.operand, text) }
    case 'gather':
      return trackOfExpression(expression.operand, text)
    case 'look': {
      const operand = text.slice(expression.operand.at.start, expression.operand.at.end)
      return { rail: 'note', label: shorten(`only ${expression.isNegative ? 'without' : 'before'} ${operand}`) }
    }
    case 'cut':
      return { rail: 'note', label: 'no way back (^)' }
    case 'failure':
      return { rail: 'note', label: shorten(`error: ${expression.message}`) }
  }
}

function repeat(track: Track, { min, max }: Count): Track {
  if (min === 1 && max === 1) return track
  if (min === 0 && max === 1) return { rail: 'optional', track }
  const isUsual = min <= 1 && max === Number.POSITIVE_INFINITY
  const loop: Track = { rail: 'loop', track, note: isUsual ? undefined : formatCount(min, max) }
  return min === 0 ? { rail: 'optional', track: loop } : loop
}

function formatCount(min: number, max: number): string {
  if (min === max) return `${min} times`
  return max === Number.POSITIVE_INFINITY ? `${min} times or more` : `${min} to ${max} times`
}

/** A class as it is written, without the count that stands after it. */
function withoutCount(written: string, { min, max }: Count): string {
  return min === 1 && max === 1 ? written : written.replace(/(?:[?*+]|\{\d*,?\d*\})$/, '')
}

/** Text on one line, and not too long. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= LONGEST_LABEL ? line : `${line.slice(0, LONGEST_LABEL - 1)}…`
}

function describe(track: Track): string {
  switch (track.rail) {
    case 'text':
    case 'rule':
    case 'note':
      return track.label
    case 'sequence':
      return track.tracks.length === 0 ? 'nothing' : track.tracks.map(describeInner).join(', then ')
    case 'choice':
      return track.tracks.map(describeInner).join(' or ')
    case 'loop':
      return `${track.note ?? 'one or more'} of ${describeInner(track.track)}`
    case 'optional':
      if (track.track.rail === 'loop' && track.track.note === undefined) {
        return `zero or more of ${describeInner(track.track.track)}`
      }
      return `optionally ${describeInner(track.track)}`
    case 'omitted':
      return describe(track.track)
  }
}

function describeInner(track: Track): string {
  const isOne = !('tracks' in track) || track.tracks.length < 2
  return isOne ? describe(track) : `(${describe(track)})`
}

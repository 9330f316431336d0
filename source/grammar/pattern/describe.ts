// Expressions in words, for messages.

import type { CodePointRange, Count, Expression } from '../syntax/expression.ts'
import type { Origin } from './pattern.ts'

/** Characters of a text, ranges of a class, and characters of a description, that are written out. */
const LONGEST_TEXT = 60
const MOST_RANGES = 40
const LONGEST = 120

/** What an expression matches, as short as it can be said, and only one of several code points or rounds; the beginning of it where that is long. */
export function describe(expression: Expression): string {
  return cut(write(expression))
}

/** All that an expression matches, with counts; the beginning of it where that is long. */
export function describeAll(expression: Expression): string {
  return cut(writeCounted(expression))
}

function cut(description: string): string {
  return description.length <= LONGEST ? description : `${Array.from(description).slice(0, LONGEST).join('')}…`
}

/** What patterns of these origins match. */
export function describeOrigins(origins: readonly Origin[]): string {
  const shown = [...new Set(origins.slice(0, MOST_RANGES).map(({ expression }) => describe(expression)))]
  return origins.length > MOST_RANGES ? `${shown.join(', ')} …` : shown.join(' or ')
}

function write(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return `${expression.ignoresCase ? '~' : ''}${quote(shorten(expression.text))}`
    case 'class': {
      const { ranges, isNegated } = expression
      if (isNegated && ranges.length === 0) return 'any character'
      const shown = ranges.slice(0, MOST_RANGES).map(describeRange).join('')
      return `[${isNegated ? '^' : ''}${shown}${ranges.length > MOST_RANGES ? '…' : ''}]`
    }
    case 'not': {
      const { operand } = expression
      if (operand.kind === 'literal' && operand.text === '') return 'any character'
      return `anything but ${write(operand)}`
    }
    case 'reference':
      return expression.name
    case 'choice': {
      const options = expression.options.map(write)
      return `${options.slice(0, -1).join(', ')} or ${options.at(-1)}`
    }
    case 'group':
      return expression.items.map(writeCounted).join(' ')
    case 'repeat':
    case 'omit':
    case 'gather':
    case 'field':
      return write(expression.operand)
    case 'look':
      return `${expression.isNegative ? 'no ' : ''}${write(expression.operand)}`
    case 'cut':
    case 'fold':
      return ''
    case 'failure':
      return expression.message
  }
}

/** As a part of a sequence. */
function writeCounted(expression: Expression): string {
  const text = write(expression)
  const isSeveral = expression.kind === 'choice' || (expression.kind === 'repeat' && text.includes(' '))
  return `${isSeveral ? `( ${text} )` : text}${'count' in expression ? writeCount(expression.count) : ''}`
}

function writeCount({ min, max }: Count): string {
  if (max === Number.POSITIVE_INFINITY) return ['*', '+'][min] ?? `{${min},}`
  if (min === max) return min === 1 ? '' : `{${min}}`
  return max === 1 ? '?' : `{${min},${max}}`
}

function shorten(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${Array.from(text.slice(0, LONGEST_TEXT)).slice(0, -1).join('')}…`
}

/** Text in double quotes, with what cannot be seen escaped. */
function quote(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u00a0\u00ad\u2028\u2029\ufeff]/g, escapeUnit)
}

function describeRange({ first, last }: CodePointRange): string {
  return first === last ? describePoint(first) : `${describePoint(first)}-${describePoint(last)}`
}

function describePoint(point: number): string {
  const character = String.fromCodePoint(point)
  if (/[\]\\^-]/.test(character)) return `\\${character}`
  const isVisible = point > 0x20 && point < 0x7f
  if (isVisible || (point > 0xa0 && /[\p{L}\p{N}\p{P}\p{S}]/u.test(character))) return character
  return quote(character).slice(1, -1)
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

// Expressions in words, for messages.

import type { CodePointRange, Expression } from './expression.ts'

/** What an expression matches, as short as it can be said. */
export function describe(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return `${expression.ignoresCase ? '~' : ''}${quote(expression.text)}`
    case 'class': {
      if (expression.isNegated && expression.ranges.length === 0) return 'any character'
      const ranges = expression.ranges.map(describeRange).join('')
      return `[${expression.isNegated ? '^' : ''}${ranges}]`
    }
    case 'not': {
      const { operand } = expression
      if (operand.kind === 'literal' && operand.text === '') return 'any character'
      return `anything but ${describe(operand)}`
    }
    case 'reference':
      return expression.name
    case 'choice': {
      const options = expression.options.map(describe)
      return `${options.slice(0, -1).join(', ')} or ${options.at(-1)}`
    }
    case 'group':
      return expression.items.map(describe).join(' ')
    case 'repeat':
      return describe(expression.operand)
    case 'omit':
    case 'gather':
      return describe(expression.operand)
    case 'look':
      return `${expression.isNegative ? 'no ' : ''}${describe(expression.operand)}`
    case 'cut':
      return ''
    case 'failure':
      return expression.message
  }
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

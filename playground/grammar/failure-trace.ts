// Where the parse of an input stopped: the farthest place that it reached, what was expected there, and the rules that were open.

import { button, element } from '../shell/element.ts'
import { formatCount } from '../shell/numbers.ts'
import type { ParseFailure } from './protocol.ts'

export interface FailureEvents {
  onGoToInput(index: number): void
  onGoToRule(rule: string): void
}

const TITLES: Readonly<Record<ParseFailure['kind'], string>> = {
  input: 'The input does not match the grammar',
  limit: 'The parse needs more than it may have',
  other: 'The input could not be parsed',
}

export function makeFailureTrace(failure: ParseFailure, events: FailureEvents): HTMLElement {
  const { kind, message, excerpt, expected, rules } = failure
  return element(
    'div',
    { class: 'error grammar-failure stack' },
    element('h2', {}, TITLES[kind]),
    element('p', {}, `${message.charAt(0).toUpperCase()}${message.slice(1)}.`),
    makePlace(failure, events),
    excerpt === undefined ? undefined : element('pre', { class: 'grammar-excerpt', tabindex: 0 }, excerpt),
    expected.length === 0 ? undefined : makeExpected(expected),
    rules.length === 0 ? undefined : makeRules(failure, events),
    kind === 'limit'
      ? element('p', {}, 'Look for warnings of the grammar: a repeated beginning multiplies the time.')
      : undefined,
  )
}

function makePlace({ line, column, byteOffset, index }: ParseFailure, events: FailureEvents): HTMLElement | undefined {
  if (line === undefined || byteOffset === undefined || index === undefined) return undefined
  const place = `line ${line}, column ${column}`
  return element(
    'p',
    { class: 'row' },
    `This is the farthest place that any way reached: ${place} (byte ${formatCount(byteOffset)}).`,
    button('Go there', () => events.onGoToInput(index), { class: 'button' }),
  )
}

function makeExpected(expected: readonly string[]): HTMLElement {
  return element(
    'div',
    {},
    element('h3', {}, 'Expected there'),
    element('ul', { class: 'grammar-chips' }, ...expected.map((text) => element('li', {}, element('code', {}, text)))),
  )
}

function makeRules({ rules, rulesAround }: ParseFailure, events: FailureEvents): HTMLElement {
  const around =
    rulesAround > 0 ? [element('li', { class: 'label' }, `${formatCount(rulesAround)} more around them`)] : []
  return element(
    'div',
    {},
    element('h3', {}, 'Rules that were open there, the outermost first'),
    element(
      'ol',
      { class: 'grammar-chain' },
      ...around,
      ...rules.map((rule) =>
        element(
          'li',
          {},
          button(rule, () => events.onGoToRule(rule), { class: 'grammar-rule-link' }),
        ),
      ),
    ),
  )
}

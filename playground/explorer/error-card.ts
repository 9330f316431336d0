// An error, as a person would want it told.

import { element } from '../shell/element.ts'
import { formatCount } from '../shell/numbers.ts'
import type { ToldError } from './protocol.ts'

export function makeErrorCard({
  title,
  advice,
  message,
  code,
  line,
  column,
  byteOffset,
  excerpt,
}: ToldError): HTMLElement {
  const place = [
    line === undefined ? undefined : `line ${formatCount(line)}`,
    column === undefined ? undefined : `column ${formatCount(column)}`,
    byteOffset === undefined ? undefined : `byte ${formatCount(byteOffset)}`,
  ].filter((part) => part !== undefined)
  return element(
    'section',
    { class: 'error', role: 'alert' },
    element('h2', {}, title),
    element('p', {}, advice),
    place.length > 0 ? element('p', {}, `Where: ${place.join(', ')}`) : undefined,
    excerpt === undefined
      ? undefined
      : element('pre', { class: 'excerpt', tabindex: 0, 'aria-label': 'The place' }, excerpt),
    element(
      'details',
      {},
      element('summary', {}, 'Details'),
      element('p', { class: 'mono' }, message, code === undefined ? '' : ` [${code}]`),
    ),
  )
}

// An error, as a person would want it told.

import { element } from '../shell/element.ts'
import { formatCount } from '../shell/numbers.ts'
import type { ToldError } from './protocol.ts'

export function makeErrorCard({
  title,
  advice,
  explanation,
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
    { class: 'error stack', role: 'alert' },
    element('h2', {}, title),
    explanation === undefined ? undefined : element('p', { class: 'explanation' }, explanation),
    excerpt === undefined ? undefined : makeExcerpt(excerpt),
    place.length > 0 ? element('p', {}, `Where: ${place.join(', ')}`) : undefined,
    element('p', {}, advice),
    element(
      'details',
      {},
      element('summary', {}, 'Details'),
      element('p', { class: 'mono' }, message, code === undefined ? '' : ` [${code}]`),
    ),
  )
}

/** The line of an error, with its place marked. The library has a caret below it, as many characters from the left as the place is. */
function makeExcerpt(excerpt: string): HTMLElement {
  const [line = '', caret = ''] = excerpt.split('\n')
  const characters = [...line]
  const before = characters.slice(0, caret.length - 1).join('')
  const [at = ' ', ...after] = characters.slice(caret.length - 1)
  const attributes = { class: 'excerpt', tabindex: 0, 'aria-label': 'The place' }
  return element('pre', attributes, before, element('mark', {}, at), after.join(''))
}

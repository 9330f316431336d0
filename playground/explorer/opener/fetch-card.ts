// Asks before a link makes the browser fetch something: whoever follows a link may not know where it leads.

import { button, element } from '../../shell/element.ts'

/** UTF-16 units of an address that are shown. */
const LONGEST = 500

/** `address`: what would be fetched. One of the two is called, once. */
export function makeFetchCard(address: URL, onOpen: () => void, onDecline: () => void): HTMLElement {
  const heading = element('h2', { id: 'fetch' }, `Open a file from ${address.host}?`)
  return element(
    'section',
    { class: 'card fetch stack', 'aria-labelledby': 'fetch' },
    heading,
    element('p', { class: 'mono' }, shorten(address.href)),
    element(
      'p',
      { class: 'label' },
      `The link to this page names this file. If you open it, your browser fetches it from ${address.host}, which then sees your network address. Nothing was fetched so far.`,
    ),
    element(
      'div',
      { class: 'row' },
      button('Open it', onOpen, { class: 'button primary' }),
      button('Not now', onDecline, { class: 'button' }),
    ),
  )
}

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text
}

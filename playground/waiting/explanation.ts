// What the view says besides figures: what is measured, what follows for code, and the code.

import { element } from '../shell/element.ts'
import { code } from './code.ts'
import { groups, type Way } from './ways.ts'

export function makeIntroduction(): HTMLElement {
  return element(
    'p',
    { class: 'lead' },
    'A program that reads a stream must be able to wait, since more may be on its way. But most of the time the next character has arrived long ago. What does it cost to be able to wait? Your browser finds out now: it reads the same text from a stream in several ways, and counts its words and lines in each.',
  )
}

const LESSONS: readonly (readonly [string, string])[] = [
  [
    'Ask first, and wait only if you must.',
    'Have a call that answers at once, and that can answer “not yet”. Await only then. This is what a cursor does with peek and fill.',
  ],
  [
    'Await for each chunk, not for each character.',
    'A promise costs nearly the same for a byte and for 64 KiB. Functions that work on what has arrived need not be async.',
  ],
  [
    'Yield arrays.',
    'An async generator makes promises for every value that it yields, also for those that it has. Yield all of them that a chunk holds at once.',
  ],
  [
    'Awaiting does not keep a page responsive.',
    'A promise that is resolved already continues before the browser gets a turn to draw or to handle a click. Give it a turn by time instead, every 10 ms or so, or work in a worker, as this page does.',
  ],
]

export function makeLessons(): HTMLElement {
  const items = LESSONS.map(([rule, reason]) => element('li', {}, element('strong', {}, rule), ` ${reason}`))
  return element(
    'section',
    { class: 'card waiting-text' },
    element('h2', {}, 'What follows for code'),
    element('ul', {}, ...items),
  )
}

export function makeCodeSection(): HTMLElement {
  const ways = groups.flatMap((group) => group.ways.map((way) => makeCode(way, `${group.label}: ${way.label}`)))
  return element(
    'section',
    { class: 'card waiting-code' },
    element('h2', {}, 'The code of each way'),
    element(
      'p',
      { class: 'label' },
      'The count takes a byte or a word at a time, and is the same for all. Left out is what counts the promises.',
    ),
    ...ways,
  )
}

function makeCode({ name }: Way, label: string): HTMLElement {
  const lines = code[name].map((part) => part.trim()).join('\n\n')
  // It can be scrolled, so it can have the focus.
  const shown = element('pre', { tabindex: 0, role: 'region', 'aria-label': `Code of “${label}”` }, lines)
  return element('details', {}, element('summary', {}, label), shown)
}

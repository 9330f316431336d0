// Draws the way through a rule. This module and the library are loaded when the first drawing is wanted.

import {
  Choice,
  Comment,
  Diagram,
  type Item,
  NonTerminal,
  OneOrMore,
  Optional,
  Sequence,
  Skip,
  Terminal,
} from 'railroad-diagrams'
import type { Track } from './track.ts'

/** Makes a drawing. `label` is read aloud in its place. */
export function drawTrack(track: Track, label: string): SVGSVGElement {
  const drawn = Diagram(itemOf(track)).toSVG()
  drawn.setAttribute('role', 'img')
  drawn.setAttribute('aria-label', label)
  return drawn
}

function itemOf(track: Track): Item {
  switch (track.rail) {
    case 'text':
      return withClass(Terminal(track.label), 'text')
    case 'rule':
      return withClass(NonTerminal(track.label), 'rule')
    case 'note':
      return Comment(track.label)
    case 'sequence':
      return track.tracks.length === 0 ? Skip() : Sequence(...track.tracks.map(itemOf))
    case 'choice':
      return Choice(0, ...track.tracks.map(itemOf))
    case 'optional':
      return Optional(itemOf(track.track))
    case 'loop':
      return OneOrMore(itemOf(track.track), track.note === undefined ? undefined : Comment(track.note))
    case 'omitted':
      return withClass(itemOf(track.track), 'omitted')
  }
}

/** Items of the library are elements to be, of which only some have classes. */
function withClass(item: Item, name: string): Item {
  item.attrs.class = [item.attrs.class, name].filter(Boolean).join(' ')
  return item
}

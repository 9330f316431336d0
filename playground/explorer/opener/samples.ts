// What can be looked at without a file of one's own: small files that come with the page, and large documents that are made in the browser.

import { load as loadDump } from 'file:../../../fixtures/mediawiki/small-dump.xml.bz2'
import { load as loadFeed } from 'file:../../../fixtures/recipes/feed.atom'
import { load as loadMap } from 'file:../../../fixtures/recipes/map.osm'
import type { MadeSource } from '../protocol.ts'

export const SAMPLES = [
  { label: 'a small wiki (bzip2)', name: 'small-dump.xml.bz2', load: loadDump },
  { label: 'a map (OpenStreetMap)', name: 'map.osm', load: loadMap },
  { label: 'a feed (Atom)', name: 'feed.atom', load: loadFeed },
] as const

export const MADE: readonly { readonly label: string; readonly name: string; readonly source: MadeSource }[] = [
  { label: 'a wiki', name: 'made-wiki.xml', source: { make: 'wiki' } },
  { label: 'a register of trees', name: 'made-register.xml', source: { make: 'register' } },
]

// Inputs that stop in the middle, for tests of what happens when nothing more comes.

import { gzipSync } from 'node:zlib'
import { Grammar } from '../../source/grammar/grammar.ts'
import { readFixture } from './fixtures.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** Words on lines, of which `line` can be emitted. */
export const grammar = Grammar.from('program ::= line* ; line ::= word "\\n" ; word ::= "a"->"z"+ ;')
/** A dump that ends in its first page. */
export const dump = encode(
  '<mediawiki><siteinfo><sitename>W</sitename></siteinfo><page><title>A</title><ns>0</ns><id>1</id>',
)
/** A dump that ends in its first log item. */
export const log = encode('<mediawiki><siteinfo><sitename>W</sitename></siteinfo><logitem><id>1</id>')
/** The beginning of an archive in each format. */
export const archives = {
  gzip: gzipSync('abc').subarray(0, 12),
  bzip2: readFixture('compression/lines.bz2').subarray(0, 50),
  zstd: readFixture('compression/lines.zst').subarray(0, 50),
}

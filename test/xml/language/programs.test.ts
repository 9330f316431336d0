// The programs of XML are assembled before they are published.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { Grammar } from '../../../source/grammar/index.ts'
import { isName, isNcName } from '../../../source/text/markup/xml-characters.ts'
import { isThorough } from '../../support/extent.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

test.runIf(isThorough)('the generated programs are those of xml.bnf', { timeout: 60_000 }, () => {
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/generate-programs.ts', '--check'], { cwd: root })
})

test('content leaves no rewind point: what is read there is certain at once', () => {
  const grammar = Grammar.from(readFileSync(new URL('../../../source/xml/language/xml.bnf', import.meta.url), 'utf8'), {
    dialect: 'xylem',
  })
  const parts = new Set(['startTag', 'emptyTag', 'endTag', 'text', 'cdata', 'comment', 'instruction'])
  const purpose = { entry: 'document', parts, nested: 'outermost', isPartial: false, isFlat: true } as const
  // Whether the document begins with a declaration takes more than the four bytes that are looked at.
  expect(grammar.compile(purpose).rewindPoints.map(({ rule }) => rule)).toEqual(['document'])
})

test('names are those of the fifth edition', () => {
  for (const name of ['a', 'é', '木', '🌳', 'a-b.c·', '_1', 'a:b', ':']) expect(isName(name), name).toBe(true)
  for (const name of ['', '1', '-a', 'a b', '×', '\u037e', 'a\u2000']) expect(isName(name), name).toBe(false)
  expect([isNcName('a'), isNcName('a:b')]).toEqual([true, false])
})

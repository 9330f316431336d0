// Names of contributors, as people write them and as wikis do.

import { expect, test } from 'vitest'
import { formsOfContributor, resolveTitle } from '../../../source/mediawiki/names/wiki-names.ts'

test.each([
  ['ada_lovelace', 'Ada lovelace'],
  ['Ada  Lovelace', 'Ada Lovelace'],
  ['2001:db8::7', '2001:DB8:0:0:0:0:0:7'],
  ['2001:0DB8:0000:0:00:0:0:0007', '2001:DB8:0:0:0:0:0:7'],
  ['::1', '0:0:0:0:0:0:0:1'],
  ['fe80::', 'FE80:0:0:0:0:0:0:0'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
])('%s is also looked for as %s', (name, form) => {
  expect(formsOfContributor(name)).toContain(form)
  expect(formsOfContributor(name)).toContain(name)
})

test.each(['192.0.2.1', 'A:b', '1::2::3', '1:2:3:4:5:6:7:8:9', '::g', 'A::b:c:', ''])(
  '%s is not an address of IPv6',
  (name) => {
    expect(formsOfContributor(name)).toEqual([name])
  },
)

const site = {
  language: 'de',
  case: 'first-letter',
  namespaces: [
    { key: 0, name: '', case: 'first-letter' },
    { key: 1, name: 'Diskussion', case: 'first-letter' },
    { key: 7, name: 'Datei Diskussion', case: 'first-letter' },
    { key: 10, name: 'Vorlage', case: 'case-sensitive' },
  ],
}

test.each([
  [' old__oak tree ', 'Old oak tree'],
  ['talk: oak', 'Diskussion:Oak'],
  ['DISKUSSION:oak', 'Diskussion:Oak'],
  ['file_talk:oak.jpg', 'Datei Diskussion:Oak.jpg'],
  ['template:oak', 'Vorlage:oak'],
  ['fr:oak', 'Fr:oak'],
  ['ßa', 'ßa'],
  ['ქართული', 'ქართული'],
])('%s is a page that the wiki calls %s', (title, resolved) => {
  expect(resolveTitle(title, site)).toBe(resolved)
})

test('the case and the language of the wiki count where its namespaces have none', () => {
  expect(resolveTitle('oak', { namespaces: [], case: 'case-sensitive' })).toBe('oak')
  expect(resolveTitle('istanbul', { namespaces: [], case: 'first-letter', language: 'tr' })).toBe('İstanbul')
})

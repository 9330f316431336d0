import { expect, test } from 'vitest'
import { resolveTitle } from '../../../source/mediawiki/names/titles.ts'

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

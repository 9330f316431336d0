import { describe, expect, test } from 'vitest'
import { findSection, readTarget, splitLinks } from '../../../playground/explorer/dump/wikitext.ts'
import { formsOfTitle } from '../../../playground/explorer/worker/dump/wiki-title.ts'

const links = (text: string) =>
  splitLinks(text).flatMap(({ text: shown, target }) => (target === undefined ? [] : [[shown, target]]))

describe('links in wikitext', () => {
  test('are titles, sections and texts between two brackets, and redirects', () => {
    expect(links('a [[Sap]], [[Oak|the oak]]s and [[Elm#Bark]]; #REDIRECT [[Elm tree#Bark|x]]')).toEqual([
      ['Sap', 'Sap'],
      ['Oak|the oak', 'Oak'],
      ['Elm#Bark', 'Elm#Bark'],
      ['Elm tree#Bark|x', 'Elm tree#Bark'],
    ])
  })

  test('may stand in the text of a link to a file', () => {
    expect(links('[[File:A.jpg|thumb|by [[Ada]] and [[Bo|B.]]]] [[C]]')).toEqual([
      ['File:A.jpg', 'File:A.jpg'],
      ['Ada', 'Ada'],
      ['Bo|B.', 'Bo'],
      ['C', 'C'],
    ])
  })

  test('are not what only looks like one, and the text stays as it is', () => {
    for (const text of [
      '[[',
      '[[]]',
      '[[a',
      '[[a]',
      '[https://example.org x]',
      '[[#Here]]',
      '[[a\nb]]',
      '[[{{x}}]]',
      '',
    ]) {
      expect(links(text)).toEqual([])
    }
    for (const text of ['[[a]][[b|c]]', 'x [[File:A|[[b]]]] y', '<b>[[a|<i>]]', '[[a\n[[b]]', '[['.repeat(5000)]) {
      expect(
        splitLinks(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
    }
  })

  test('lead to a title and a section, below the page if they begin with a slash', () => {
    expect(readTarget('Elm#Old_bark ', 'Oak')).toEqual({ title: 'Elm', section: 'Old bark' })
    expect(readTarget('/Sources', 'Oak')).toEqual({ title: 'Oak/Sources', section: '' })
    const text = 'lead\n== Bark ==\nrough\n===Old bark===\nhollow'
    expect([
      findSection(text, 'old Bark'),
      findSection(text, 'bark'),
      findSection(text, ''),
      findSection(text, 'x'),
    ]).toEqual([text.indexOf('===Old'), text.indexOf('== Bark'), -1, -1])
  })
})

describe('the title that a link leads to', () => {
  const site = {
    language: 'de',
    case: 'first-letter',
    namespaces: [{ key: 1, name: 'Diskussion', case: 'first-letter' }],
  }

  test('is as the wiki writes it, and else as the link does', () => {
    expect(formsOfTitle(' old__oak tree', site)).toEqual(['Old oak tree', 'old oak tree'])
    expect(formsOfTitle(':Talk: oak', site)).toEqual(['Diskussion:Oak', 'Talk: oak'])
    expect(formsOfTitle('oak', { ...site, case: 'case-sensitive' })).toEqual(['oak'])
  })

  test('has a capital letter where nothing is known of the wiki', () => {
    expect(formsOfTitle('Oak', undefined)).toEqual(['Oak'])
    expect(formsOfTitle('élan', undefined)[0]).toBe('Élan')
  })
})

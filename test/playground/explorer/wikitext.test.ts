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
    namespaces: [
      { key: 0, name: '', case: 'first-letter' },
      { key: 1, name: 'Diskussion', case: 'first-letter' },
      { key: 10, name: 'Vorlage', case: 'case-sensitive' },
    ],
  }

  test('has spaces and a capital letter, and else the letter that it has', () => {
    expect(formsOfTitle(' old__oak tree', site)).toEqual(['Old oak tree', 'old oak tree'])
    expect(formsOfTitle('élan', site)[0]).toBe('Élan')
    expect(formsOfTitle('istanbul', { ...site, language: 'tr' })[0]).toBe('İstanbul')
    expect(formsOfTitle('Oak', undefined)).toEqual(['Oak'])
  })

  test('has the name of its namespace as the wiki writes it, also for the English name', () => {
    expect(formsOfTitle('diskussion:oak', site)[0]).toBe('Diskussion:Oak')
    expect(formsOfTitle(':Talk: oak', site)[0]).toBe('Diskussion:Oak')
    expect(formsOfTitle('fr:oak', site)[0]).toBe('Fr:oak')
  })

  test('is as it is where the case counts', () => {
    expect(formsOfTitle('template:oak', site)).toEqual(['Vorlage:oak', 'template:oak'])
    expect(formsOfTitle('oak', { ...site, namespaces: [], case: 'case-sensitive' })).toEqual(['oak'])
  })
})

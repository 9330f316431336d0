import { describe, expect, test } from 'vitest'
import { findNamespace } from '../../../source/cli/read/resolve-question.ts'
import { run } from '../../support/command.ts'
import { fixturePath } from '../../support/fixtures.ts'

/** Of the German Wikipedia. */
const GERMAN = [
  { key: -1, name: 'Spezial' },
  { key: 0, name: '' },
  { key: 1, name: 'Diskussion' },
  { key: 2, name: 'Benutzer' },
  { key: 3, name: 'Benutzer Diskussion' },
  { key: 4, name: 'Wikipedia' },
  { key: 6, name: 'Datei' },
  { key: 9, name: 'MediaWiki Diskussion' },
  { key: 100, name: 'Portal' },
  { key: 828, name: 'Modul' },
]

describe('a namespace', () => {
  test.each([
    ['0', 0],
    ['-1', -1],
    ['Benutzer Diskussion', 3],
    ['benutzer_diskussion', 3],
    ['User talk', 3],
    ['User_talk', 3],
    ['USER__TALK', 3],
    [' user  talk ', 3],
    ['Talk', 1],
    ['Special', -1],
    ['main', 0],
    ['Project', 4],
    ['Image', 6],
    ['image talk', 7],
    ['File', 6],
    ['mediawiki_talk', 9],
    ['Portal', 100],
    ['Module', 828],
  ])('%j is %d on a German wiki', (name, key) => {
    expect(findNamespace(name, GERMAN)).toBe(key)
  })

  test('has its English name also where the dump lists none', () => {
    expect(findNamespace('User talk', [])).toBe(3)
  })

  test.each(['Modul talk', 'Module talk', 'TimedText', 'Users'])(
    'that the wiki does not have is refused: %j',
    (name) => {
      expect(() => findNamespace(name, GERMAN)).toThrow('the wiki has no namespace')
      expect(() => findNamespace(name, GERMAN)).toThrow('Benutzer Diskussion')
    },
  )

  test.each([
    ['Tempalte', 'Template'],
    ['Benuzter', 'Benutzer'],
    ['user takl', 'User talk'],
    ['Modle', 'Module'],
    ['Users', 'User'],
  ])('that is misspelled is suggested, in the language of the wiki or in English: %j', (name, meant) => {
    expect(() => findNamespace(name, GERMAN)).toThrow(`the wiki has no namespace ${name} (did you mean ${meant}?); its`)
  })

  test('is not suggested where none is like the name, nor is the one without a name', () => {
    for (const name of ['xyzzy', 'x']) expect(() => findNamespace(name, GERMAN)).toThrow(`no namespace ${name}; its`)
  })

  test('whose name is that of another one in English is refused', () => {
    const namespaces = [...GERMAN, { key: 102, name: 'Help' }]
    expect(() => findNamespace('help', namespaces)).toThrow(
      'help is namespace 102 on this wiki, but 12 in English; give the number',
    )
    expect(findNamespace('Template', [...GERMAN, { key: 10, name: 'Template' }])).toBe(10)
  })

  test('may be named in English on the command line', async () => {
    const dump = fixturePath('mediawiki/small-dump.xml')
    const ids = async (ns: string) => (await run(['pages', dump, '--fields', 'id', '--ns', ns])).stdout
    expect(await ids('Main,talk')).toBe(await ids('0,1'))
    expect(await ids('Main,talk')).not.toBe('')
  })
})

// The named characters of HTML.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { htmlEntities } from '../../../source/xml/html-entities/index.ts'
import { parseXml } from '../../../source/xml/index.ts'
import { isThorough } from '../../support/extent.ts'
import { findPython } from '../../support/python.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

test.runIf(isThorough)('the module is what the generator makes', { timeout: 60_000 }, () => {
  const args = ['--import', 'tsx', 'scripts/generate-html-entities.ts', '--check']
  execFileSync(process.execPath, args, { cwd: root })
})

test('the list has all names that end with a semicolon', () => {
  expect(Object.keys(htmlEntities)).toHaveLength(2125)
  const { nbsp, eacute, fjlig, NewLine, NotEqualTilde, zwnj } = htmlEntities
  expect([nbsp, eacute, fjlig, NewLine, NotEqualTilde, zwnj]).toEqual([
    '\u00a0',
    'é',
    'fj',
    '\n',
    '\u2242\u0338',
    '\u200c',
  ])
})

test('the list cannot be changed', () => {
  expect(() => Object.assign(htmlEntities, { nbsp: ' ' })).toThrow(TypeError)
})

test('a document may use all of them', () => {
  const names = Object.keys(htmlEntities)
  const { root } = parseXml(`<r>${names.map((name) => `<a b="&${name};">&${name};</a>`).join('')}</r>`, {
    entities: htmlEntities,
  })
  const texts = Object.values(htmlEntities)
  expect(root.childElements.map(({ text }) => text)).toEqual(texts)
  expect(root.childElements.map(({ attributes }) => attributes.get('b'))).toEqual(texts)
})

test.runIf(findPython())('Python has the same list', () => {
  const script = 'import html.entities, json; print(json.dumps(html.entities.html5))'
  const names: Record<string, string> = JSON.parse(execFileSync('python3', ['-c', script], { encoding: 'utf8' }))
  const complete = Object.entries(names).flatMap(([name, text]) => {
    return name.endsWith(';') ? [[name.slice(0, -1), text] as const] : []
  })
  expect({ ...htmlEntities }).toEqual(Object.fromEntries(complete))
})

// Types of what toObject gives: this file is compiled with the project.

import { expect, test } from 'vitest'
import { parseXml } from '../../../source/xml/index.ts'
import { toObject } from '../../../source/xml/object/index.ts'

interface Config {
  config: { port: string; host: string[] }
}
const document = parseXml('<config><port>80</port><host>a</host></config>')

test('a type can be named for the object, and a function for arrays needs none', () => {
  const config = toObject<Config>(document, { arrays: (element) => element.name === 'host' })
  expect([config.config.port, ...config.config.host]).toEqual(['80', 'a'])
  const inferred = toObject(document, { arrays: (element) => element.name === 'host', values: true, ordered: false })
  const content: string | number | boolean | object | undefined = inferred.config
  expect(content).toEqual({ port: 80, host: ['a'] })
})

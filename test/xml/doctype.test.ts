// Document types: what they declare, and what is refused. More is in cases/doctype.txt, cases/entities.txt and cases/attributes.txt, and much
// more in the suite in test/conformance.

import { describe, expect, test } from 'vitest'
import { parseXml, readXml } from '../../source/xml/index.ts'
import { read } from '../support/xml.ts'

describe('WFC: Entity Declared', () => {
  const alone = '<?xml version="1.0" standalone="yes"?>'
  const known = '<!ENTITY % p "<!ENTITY q \'Q\'>">%p;'
  const unread = '<!ENTITY % p SYSTEM "p">%p;'
  /** Where something refers to `q`. */
  const uses = (head: string, subset: string) => [
    `${head} [${subset}]><a>&q;</a>`,
    `${head} [${subset}]><a b="&q;"/>`,
    `${head} [${subset}<!ATTLIST a b CDATA "x&q;y">]><a/>`,
    `${head} [${subset}<!ENTITY r "&q;"><!ATTLIST a b CDATA "&r;">]><a/>`,
    `${head} [${subset}<!ENTITY r "&q;">]><a>&r;</a>`,
  ]

  test.each([
    ['without an external subset and parameter entities', '<!DOCTYPE a', ''],
    ['of a document that stands alone, with an external subset', `${alone}<!DOCTYPE a SYSTEM "a.dtd"`, ''],
    ['of a document that stands alone, with a parameter entity', `${alone}<!DOCTYPE a`, unread],
    ['of a document that stands alone, declared in a parameter entity', `${alone}<!DOCTYPE a`, known],
  ])('is an error %s', async (_, head, subset) => {
    for (const text of uses(head, subset)) expect((await read(text)).error?.code, text).toBe('undeclared-entity')
  })

  test.each([
    ['with an external subset', '<!DOCTYPE a SYSTEM "a.dtd"', ''],
    ['with a parameter entity that was not read', '<!DOCTYPE a', unread],
    ['with one that was read', '<!DOCTYPE a', '<!ENTITY % p "">%p;'],
    ['where it is declared in one', '<!DOCTYPE a', known],
  ])('is none %s', async (_, head, subset) => {
    for (const text of uses(head, subset)) expect((await read(text)).error, text).toBeUndefined()
  })

  test('is none of what is never referred to', async () => {
    expect((await read(`${alone}<!DOCTYPE a [<!ENTITY r "&q;">]><a/>`)).error).toBeUndefined()
  })
})

describe('attributes', () => {
  test('that declare namespaces by default count', async () => {
    const text = '<!DOCTYPE a [<!ATTLIST a xmlns:p CDATA "u">]><a><p:b/></a>'
    expect((await read(text)).error).toBeUndefined()
    expect(parseXml(text).root.child('p:b')?.namespace).toBe('u')
  })
})

describe('external entities', () => {
  const text = '<!DOCTYPE a SYSTEM "a.dtd" [<!ENTITY e SYSTEM "e.xml">]><a b="&x;">&e;</a>'
  const files: Record<string, string> = {
    'a.dtd': '<?xml encoding="UTF-8"?><!ENTITY x "y"><![INCLUDE[<!ATTLIST a c CDATA "d">]]><![IGNORE[<!x <![ ]]> ]]>',
    'e.xml': "<?xml version='1.0' encoding='UTF-8'?><f/>&x;",
  }

  test('are read by a resolver, and by nothing else', async () => {
    const asked: string[] = []
    const resolve = async ({ systemId }: { systemId: string }) => {
      asked.push(systemId)
      return files[systemId]
    }
    const events: string[] = []
    for await (const batch of readXml([text], { resolve }).events().batches()) {
      for (const event of batch) {
        if (event.type === 'start') events.push(`${event.name} ${[...event.attributes].join(' ')}`)
        if (event.type === 'text') events.push(event.text)
      }
    }
    expect(asked).toEqual(['a.dtd', 'e.xml'])
    expect(events).toEqual(['a b,y c,d', 'f ', 'y'])
    expect(parseXml(text, { resolve: ({ systemId }) => files[systemId] }).root.text).toBe('y')
    expect(parseXml(text).root.attribute('b')).toBe('')
  })

  test('are not waited for any longer when a signal aborts, and the resolver sees the abort', async () => {
    const controller = new AbortController()
    let told: AbortSignal | undefined
    const resolve = ({ signal }: { signal?: AbortSignal }) => {
      told = signal
      setTimeout(() => controller.abort(new Error('too late')), 5)
      return new Promise<string>(() => {})
    }
    const reading = readXml([text], { resolve, signal: controller.signal }).check()
    await expect(reading).rejects.toThrow('too late')
    expect(told?.reason).toBe(controller.signal.reason)
  })

  test('are text or bytes, at once for parseXml', async () => {
    const late = async () => 'y'
    expect(() => parseXml(text, { resolve: late as unknown as () => string })).toThrow(
      'parseXml cannot wait; use readXml',
    )
    await expect(readXml([text], { resolve: () => 7 as unknown as string }).check()).rejects.toMatchObject({
      code: 'invalid-source',
    })
    expect(parseXml(text, { resolve: () => null as unknown as undefined }).root.text).toBe('')
  })

  test('whose resolver fails pass its error on', async () => {
    const resolve = () => Promise.reject(new Error('no network'))
    await expect(readXml([text], { resolve }).check()).rejects.toThrow('no network')
  })
})

// JSON Schemas of the records of shapes.

import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { readXml, type XmlShape } from '../../../source/xml/index.ts'
import { schemaOf } from '../../../source/xml/question/json-schema.ts'
import { INTERNAL } from '../../../source/xml/question/shape.ts'
import { collect } from '../../support/collect.ts'
import { PRODUCT, products } from '../../support/products.ts'

/** Other kinds of fields, and fields that must be there. */
const OTHER = {
  id: { path: '@id', as: 'integer', required: true },
  all: { path: '.', as: 'attributes' },
  tags: [{ path: 'tag', empty: 'absent' }],
  children: { path: 'maker', as: 'children' },
  maker: { path: 'maker', as: 'object' },
  everything: { path: '.', as: 'object' },
  latest: { of: 'version', oneOf: [{ at: '@at' }, { n: '@n', x: '@x' }] },
  votes: [{ of: 'vote', empty: 'absent', fields: { by: { path: '@by', hidden: true }, value: '.' } }],
  around: { outer: '/r', required: true, fields: { name: 'name()' } },
  rest: { as: 'rest' },
} as const satisfies XmlShape

describe('the schema of a shape', () => {
  test.each<[name: string, shape: XmlShape]>([
    ['values and records', PRODUCT],
    ['all else', OTHER],
  ])('describes the lines of its records: %s', async (_, shape) => {
    const validate = new Ajv({ allErrors: true }).compile(schemaOf(shape))
    const bytes = await collect(readXml(products(60)).write('jsonl', 'p', shape))
    const lines = new TextDecoder().decode(bytes).trimEnd().split('\n')
    expect(lines).toHaveLength(60)
    for (const line of lines) {
      validate(JSON.parse(line))
      expect(validate.errors, line).toBeNull()
    }
  })

  test('says what is always there, and refuses what a record cannot have', () => {
    expect(schemaOf(OTHER).required).toEqual(['id', 'tags', 'around'])
    const validate = new Ajv().compile(schemaOf(OTHER))
    const least = { id: 1, tags: [], around: {} }
    expect(validate(least)).toBe(true)
    for (const wrong of [
      { ...least, id: '1' },
      { ...least, id: undefined },
      { ...least, unknown: 1 },
      { ...least, latest: { x: '1' } },
      { ...least, votes: [{ by: 'a' }] },
    ])
      expect(validate(JSON.parse(JSON.stringify(wrong))), JSON.stringify(wrong)).toBe(false)
  })

  test('says of dates that they are texts, in the form that RFC 3339 shares with ISO 8601', async () => {
    const shape = { on: { path: '@on', as: 'date' }, all: [{ path: 'd', as: 'date' }] } as const
    expect(schemaOf(shape).properties).toEqual({
      on: { type: 'string', format: 'date-time' },
      all: { type: 'array', items: { type: 'string', format: 'date-time' } },
    })
  })

  test('says of a field that it is given only on request, and does not require it', () => {
    const shape = { size: { [INTERNAL]: true, path: '.', as: 'byteLength', onRequest: true, required: true } } as const
    const sentence = 'Given only where it is asked for by name.'
    expect(schemaOf(shape).required).toBeUndefined()
    expect(schemaOf(shape).properties).toEqual({ size: { description: sentence, type: 'integer' } })
    const notes = new Map([['size', { description: 'Bytes.' }]])
    expect(schemaOf(shape, { notes }).properties?.size?.description).toBe(`Bytes. ${sentence}`)
  })

  test('has what else is said of fields, and definitions of records that have a name', () => {
    const shape = {
      a: 'a',
      in: { of: 'b', fields: { c: 'c' } },
      list: [{ of: 'd', fields: { in: { of: 'b', fields: { c: 'c' } } } }],
    }
    const notes = new Map([
      ['a', { description: 'The a.' }],
      ['in', { description: 'The b.' }],
      ['list.in.c', { description: 'Not the first.' }],
    ])
    const object = (properties: object) => ({ type: 'object', additionalProperties: false, properties })
    const inner = { $ref: '#/definitions/inner' }
    expect(schemaOf(shape, { notes, names: { in: 'inner' } })).toEqual({
      ...object({
        a: { description: 'The a.', type: 'string' },
        in: { description: 'The b.', ...inner },
        list: { type: 'array', items: object({ in: inner }) },
      }),
      required: ['list'],
      definitions: { inner: object({ c: { type: 'string' } }) },
    })
  })
})

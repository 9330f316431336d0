// Some of the fields of a shape.

import { expect, test } from 'vitest'
import { pick, withRequested } from '../../../source/xml/question/pick.ts'
import { planShape } from '../../../source/xml/question/plan.ts'
import { INTERNAL } from '../../../source/xml/question/shape.ts'

const shape = {
  id: { path: '@id', as: 'integer', required: true },
  title: 'title',
  author: { of: 'author', fields: { name: 'name', mail: '@mail' } },
  last: { of: 'v', fields: { time: 'time', text: 'text' }, pick: { newest: ['time'] } },
  votes: [{ of: 'vote', fields: { by: '@by' } }],
} as const

test('fields are picked by their names, in records by names with dots, and a list as it is', () => {
  expect(pick(shape, ['title', 'author.name', 'votes.0.by'])).toEqual({
    title: 'title',
    author: { of: 'author', fields: { name: 'name' } },
    votes: shape.votes,
  })
})

test('fields that are only looked at are hidden and not required, and so are those by which the newest is found', () => {
  expect(pick(shape, ['last.text'], ['id', 'author.mail'])).toEqual({
    id: { path: '@id', as: 'integer', required: false, hidden: true },
    author: {
      of: 'author',
      fields: { mail: { path: '@mail', required: false, hidden: true } },
      required: false,
      hidden: true,
    },
    last: { ...shape.last, fields: { time: { path: 'time', required: false, hidden: true }, text: 'text' } },
  })
})

test('with the rest of an element, all other fields of it are hidden', () => {
  expect(Object.keys(pick({ ...shape, other: { as: 'rest' } }, ['other.0']))).toEqual([...Object.keys(shape), 'other'])
})

const size = { [INTERNAL]: true, path: 'text', as: 'byteLength', onRequest: true } as const
const withSizes = {
  size,
  sizes: [{ [INTERNAL]: true, path: 'line', as: 'byteLength', onRequest: true }],
  author: { of: 'author', fields: { name: 'name', size } },
  votes: [{ of: 'vote', fields: { by: '@by', size } }],
  other: { as: 'rest' },
} as const
const asked = { ...size, onRequest: false }

test('fields on request are picked where they are asked for by their names', () => {
  expect(pick(withSizes, ['size', 'author.size', 'votes.0.size'])).toEqual({
    size: asked,
    author: { of: 'author', fields: { size: asked } },
    votes: [{ of: 'vote', fields: { by: '@by', size: asked } }],
  })
  expect(pick(withSizes, ['sizes', 'author', 'votes'])).toEqual({
    sizes: [{ ...withSizes.sizes[0], onRequest: false }],
    author: withSizes.author,
    votes: withSizes.votes,
  })
  expect(pick(withSizes, ['author', 'author.size'])).toEqual({
    author: { of: 'author', fields: { name: 'name', size: asked } },
  })
})

test('a shape has no fields that are not asked for: they are not planned, and the rest does not depend on them', () => {
  const namesOf = (some: typeof withSizes | ReturnType<typeof pick>) => planShape(some).fields.map(({ name }) => name)
  expect(namesOf(withSizes)).toEqual(['author', 'votes', 'other'])
  expect(planShape(withSizes).fields[0]?.record?.fields.map(({ name }) => name)).toEqual(['name'])
  expect(namesOf(pick(withSizes, ['other']))).toEqual(['author', 'votes', 'other'])
  expect(namesOf(pick(withSizes, ['size', 'other']))).toEqual(['size', 'author', 'votes', 'other'])
  expect(pick(withSizes, ['author.name'], ['size'])).toMatchObject({ size: { ...asked, hidden: true } })
})

test('all other fields of a shape can be had with those on request', () => {
  expect(withRequested(withSizes, ['author.size'])).toEqual({
    author: { of: 'author', fields: { name: 'name', size: asked } },
    votes: withSizes.votes,
    other: withSizes.other,
  })
})

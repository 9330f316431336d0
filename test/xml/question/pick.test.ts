// Some of the fields of a shape.

import { expect, test } from 'vitest'
import { pick } from '../../../source/xml/question/pick.ts'

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

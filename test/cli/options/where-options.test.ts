// Conditions of the command line, as conditions of the library.

import { expect, test } from 'vitest'
import { parseConditions } from '../../../source/cli/options/where-options.ts'
import { planShape } from '../../../source/xml/question/plan.ts'

const plan = planShape({
  size: { path: '@size', as: 'integer' },
  price: { path: '@price', as: 'number' },
  title: 'title',
  day: { path: 'day', as: 'date' },
  isOpen: { path: '@open', as: 'boolean' },
  locked: { path: 'locked', as: 'present' },
  bytes: { path: '.', as: 'byteLength' },
  source: { path: '.', as: 'xml' },
  all: { path: '.', as: 'attributes' },
  late: { path: '.', late: true },
  id: { path: '@id', required: true },
  '@x': '@x',
  'tag[@k="a"]/@v': 'tag[@k="a"]/@v',
  '{u=v}a': '{u=v}a',
  constructor: 'c',
  cases: [{ of: 'case', fields: { name: '@name', time: { path: '@time', as: 'number' } } }],
})

test.each([
  ['size>10000', { size: [{ above: 10000 }] }],
  [' size  >=  -5 ', { size: [{ from: -5 }] }],
  ['price<1.5', { price: [{ below: 1.5 }] }],
  ['price<=1e3', { price: [{ to: 1000 }] }],
  ['size=7', { size: [{ in: [7] }] }],
  ['size==7', { size: [{ in: [7] }] }],
  ['size!=7', { size: [{ notIn: [7] }] }],
  ['title=Sap & water', { title: [{ in: ['Sap & water'] }] }],
  ['title=', { title: [{ in: [''] }] }],
  ['title=" x "', { title: [{ in: [' x '] }] }],
  ["title=' x '", { title: [{ in: [' x '] }] }],
  [`title='it"s'`, { title: [{ in: ['it"s'] }] }],
  ['title="~^R"', { title: [{ in: ['~^R'] }] }],
  ['title=!', { title: [{ in: ['!'] }] }],
  ['title~=', { title: [{ matches: '=' }] }],
  [`title="x'`, { title: [{ in: [`"x'`] }] }],
  ['title=a"b"', { title: [{ in: ['a"b"'] }] }],
  ['title=a=b<c', { title: [{ in: ['a=b<c'] }] }],
  ['title!=a\nb', { title: [{ notIn: ['a\nb'] }] }],
  ['title~^R|s$', { title: [{ matches: '^R|s$' }] }],
  ['size~0$', { size: [{ matches: '0$' }] }],
  ['title>="10"', { title: [{ from: '10' }] }],
  ['title<M', { title: [{ below: 'M' }] }],
  ['day>2026-01-31', { day: [{ above: '2026-01-31' }] }],
  ['day=2026-01-31T10:00+01:00', { day: [{ in: ['2026-01-31T10:00+01:00'] }] }],
  ['isOpen=true', { isOpen: [{ in: [true] }] }],
  ['isOpen!=0', { isOpen: [{ notIn: [false] }] }],
  ['locked', { locked: [{ present: true }] }],
  ['!locked', { locked: [{ present: false }] }],
  ['! all', { all: [{ present: false }] }],
  ['cases', { cases: [{ present: true }] }],
  ['bytes>100', { bytes: [{ above: 100 }] }],
  ['source~<b>', { source: [{ matches: '<b>' }] }],
  ['@x=1', { '@x': [{ in: ['1'] }] }],
  ['tag[@k="a"]/@v!=1', { 'tag[@k="a"]/@v': [{ notIn: ['1'] }] }],
  ['!tag[@k="a"]/@v', { 'tag[@k="a"]/@v': [{ present: false }] }],
  ['{u=v}a=b', { '{u=v}a': [{ in: ['b'] }] }],
  ['constructor=c', { constructor: [{ in: ['c'] }] }],
  ['title|@x=1', { 'title|@x': [{ in: ['1'] }] }],
  ['!title|@x', { 'title|@x': [{ present: false }] }],
  ['cases.time>2', { 'cases.time': [{ above: 2 }] }],
])('%j is a condition on a field', (text, conditions) => {
  expect(parseConditions([text], plan)).toEqual(conditions)
})

test('all of several conditions hold, also of one field', () => {
  expect(parseConditions(['size>1', 'title~^R', 'size<9'], plan)).toEqual({
    size: [{ above: 1 }, { below: 9 }],
    title: [{ matches: '^R' }],
  })
})

test.each([
  ['siz>1', 'unknown field siz: did you mean size?'],
  ['title|siz>1', 'unknown field siz: did you mean size?'],
  ['size|title=1', 'size|title must be compared with a string, not with 1'],
  ['cases.tme>1', 'unknown field cases.tme: did you mean cases.time?'],
  ['cases[].time>1', 'unknown field cases[].time: did you mean cases.time?'],
  [
    'title=~^R',
    'unknown sign =~: the signs are =, !=, <, <=, >, >= and ~ for a regular expression; quote a value that begins so: title="~^R"',
  ],
  ['title<>Roots', 'unknown sign <>: the signs are'],
  ['title === Roots', 'unknown sign ===: the signs are'],
  ['size=>1', 'unknown sign =>: the signs are'],
  ['Title', 'unknown field Title: did you mean title?'],
  ['zzzzzz', 'unknown field zzzzzz: expected one of size, price, title'],
  ['size>x', '"x" is not a whole number'],
  ['size>1.5', '"1.5" is not a whole number'],
  ['size>', 'expected a field, a sign and a value'],
  ['size=', '"" is not a whole number'],
  ['title>=', 'expected a field, a sign and a value'],
  ['title~', 'expected a field, a sign and a value'],
  ['bytes>many', '"many" is not a whole number'],
  ['price>1,5', '"1,5" is not a finite decimal number'],
  ['day>2026', '"2026" is not a date or a time of ISO 8601'],
  ['isOpen=yes', '"yes" is not true, false, 1 or 0'],
  ['locked=true', 'the values of locked cannot be compared; locked or !locked asks whether there is one'],
  ['all~x', 'the values of all cannot be compared'],
  ['cases=1', 'the values of cases cannot be compared'],
  ['title>10', 'title is a text; ask for a number (title:number=…), or compare texts (title>"10")'],
  ['title~(', 'Invalid regular expression: /(/u: Unterminated group'],
  ['late=x', 'the field late is late; where cannot see it'],
  ['!id', 'the field id is required; no record is without it'],
  ['', 'expected a field, a sign and a value, such as size>10000'],
  ['>1', 'expected a field, a sign and a value'],
  ['!size>1', 'expected a field, a sign and a value'],
])('%j is refused, with the reason', (text, reason) => {
  expect(() => parseConditions([text], plan)).toThrow(`--where '${text}': ${reason}`)
})

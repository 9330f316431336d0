import { expect, test } from 'vitest'
import { nameFields } from '../../../source/xml/infer/inferred-fields.ts'

test.each([
  ['the last step of each path, without its prefix', [['a'], ['x', 'dc:creator']], ['a', 'creator']],
  [
    'more steps where names are equal',
    [
      ['Point', 'xy'],
      ['Line', 'xy'],
    ],
    ['Point_xy', 'Line_xy'],
  ],
  ['more steps where there are some', [['attribute', 'name'], ['name']], ['attribute_name', 'name']],
  ['more steps where names are equal but for case', [['attribute', 'Id'], ['id']], ['attribute_Id', 'id']],
  ['a number where nothing else helps', [['a:x'], ['b:x'], ['x']], ['x', 'x_2', 'x_3']],
  ['another name than a reserved one', [['attribute', 'rest'], ['rest']], ['attribute_rest', 'rest_2']],
  ['another name than one that objects cannot have', [['__proto__']], ['field']],
])('fields are named by %s', (_, paths, names) => {
  expect(nameFields(paths, ['rest'])).toEqual(names)
})

import { expect, test } from 'vitest'
import { isMarkup, toFile } from '../../../playground/explorer/opener/pasted-text.ts'

test('what is pasted begins with its declaration, which names the encoding that it has now', async () => {
  const wide = '<?xml version="1.0" encoding="UTF-16" standalone="yes"?><a>é</a>'
  expect(await toFile(`\n ${wide}`).text()).toBe(wide.replace('UTF-16', 'UTF-8'))
  expect(await toFile("<?xml version='1.0' encoding='latin1'?><a/>").text()).toBe(
    `<?xml version='1.0' encoding="UTF-8"?><a/>`,
  )
  for (const text of ['<a encoding="x"/>', '<?xml version="1.0"?><a/>', ''])
    expect(await toFile(text).text()).toBe(text)
})

test('text is XML if it begins with an angle bracket', () => {
  expect(['<a/>', '\n\t<a', '\ufeff<a'].map(isMarkup)).toEqual([true, true, true])
  expect(['', '{"a":"<b>"}', 'https://example.org/<a>'].map(isMarkup)).toEqual([false, false, false])
})

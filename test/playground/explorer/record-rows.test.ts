import { expect, test } from 'vitest'
import { StreamCache } from 'xylem/stream'
import { RecordRows } from '../../../playground/explorer/worker/document/record-rows.ts'
import { Gate } from '../../../playground/explorer/worker/gate.ts'

test('rows keep the beginning of long values', async () => {
  const cache = StreamCache.from([`<r><a>${'long '.repeat(1000)}</a><a>short</a></r>`])
  const rows = new RecordRows(10)
  const shape = { record: 'r/a', fields: [{ name: 'text', path: '.', isList: false }] }
  await rows.read({ cache, cursor: cache.cursor(), compression: 'none' }, shape, new Gate(), () => {})
  expect(rows.slice(0, 2)).toEqual([[`${'long '.repeat(400)} …`], ['short']])
})

import { expect, test } from 'vitest'
import { StreamCache } from 'xylem/stream'
import { RecordReading } from '../../../playground/explorer/worker/document/record-reading.ts'
import { Gate } from '../../../playground/explorer/worker/gate.ts'

test('rows keep the beginning of long values', async () => {
  const cache = StreamCache.from([`<r><a>${'long '.repeat(1000)}</a><a>short</a></r>`])
  const reading = new RecordReading(10)
  await reading.run({
    shape: { record: 'r/a', fields: [{ name: 'text', path: '.', isList: false }] },
    most: undefined,
    open: () => ({ cache, cursor: cache.cursor(), compression: 'none' }),
    gate: new Gate(),
    tell: (error) => {
      throw error
    },
    onRows: () => {},
  })
  expect(reading.slice(0, 2)).toEqual([[`${'long '.repeat(400)} …`], ['short']])
})

import { expect, test } from 'vitest'
import { readDump } from '../../../source/mediawiki/dump-reader.ts'
import type { LogItem } from '../../../source/mediawiki/shape/log-item.ts'
import { everyCut } from '../../support/collect.ts'

const log = `<mediawiki version="0.11">
<logitem><id>1</id><timestamp>2026-01-01T00:00:00Z</timestamp><contributor><username>Ada</username><id>7</id></contributor>
<comment>why &amp; how</comment><type>move</type><action>move_redir</action><logtitle>Old &quot;name&quot;</logtitle>
<params xml:space="preserve">a:1:{s:9:"4::target";s:3:"New";}</params></logitem>
<logitem><id>2</id><contributor deleted="deleted" /><comment deleted="deleted" /><type>block</type><action>block</action><text deleted="deleted" /></logitem>
</mediawiki>`

test('the items of a log are read from complete input, byte by byte and at every cut', async () => {
  for (const chunks of everyCut(new TextEncoder().encode(log))) {
    const items: LogItem[] = []
    for await (const item of readDump(chunks).logItems()) items.push(item)
    expect(items).toEqual([
      {
        id: 1,
        timestamp: '2026-01-01T00:00:00Z',
        contributor: { username: 'Ada', id: 7 },
        comment: 'why & how',
        type: 'move',
        action: 'move_redir',
        title: 'Old "name"',
        params: 'a:1:{s:9:"4::target";s:3:"New";}',
      },
      { id: 2, contributor: { deleted: true }, type: 'block', action: 'block', deleted: true },
    ])
  }
})

test('an item without an id is refused, with its place', async () => {
  const reading = readDump('<mediawiki>\n<logitem><type>x</type></logitem></mediawiki>').logItems().next()
  await expect(reading).rejects.toMatchObject({ code: 'malformed-page', line: 2, column: 1 })
})

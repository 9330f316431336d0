// The Explorer as a person uses it, in Chromium. Skipped where there is none.

import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { readDump } from '../../source/mediawiki/index.ts'
import { readXml } from '../../source/xml/index.ts'
import { findViolations } from '../support/axe.ts'
import { chromiumPath, launchBrowser, startServer } from '../support/browser.ts'
import { collectAll } from '../support/collect.ts'
import { makeDump } from '../support/dump.ts'
import { useExplorer } from '../support/explorer-page.ts'
import { isThorough } from '../support/extent.ts'
import { findLongTasks, RETRIES } from '../support/long-tasks.ts'
import { takeScreenshots } from '../support/screenshots.ts'

const root = new URL('../..', import.meta.url)
const dump = readFileSync(new URL('fixtures/mediawiki/small-dump.xml', root))
const packed = readFileSync(new URL('fixtures/mediawiki/small-dump.xml.bz2', root))
const map = readFileSync(new URL('fixtures/recipes/map.osm', root))

/** In `npm test` it is opened once. */
const thorough = test.runIf(isThorough)

describe.runIf(chromiumPath)('the Explorer', () => {
  let page: Page
  const visits = useExplorer((opened) => {
    page = opened
  })

  const choose = (name: string, buffer: Buffer) =>
    page.setInputFiles('#file', { name, mimeType: 'application/octet-stream', buffer })
  const state = (text: string) => page.getByText(text, { exact: false }).first().waitFor()
  const rows = () => page.locator('.page-row')
  const count = () => page.locator('.pages > .label').textContent()
  const openAddress = async (address: string) => {
    await page.getByLabel('or open an address:').fill(address)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
  }
  const serve = (answer: (response: ServerResponse) => void) =>
    startServer((_, response) => {
      response.setHeader('access-control-allow-origin', '*')
      answer(response)
    })

  test('lists the pages of the sample, and opens one with its text', async () => {
    await page.getByRole('button', { name: 'a small wiki (bzip2)' }).click()
    await state('read to the end')
    const pages = await collectAll(readDump(dump).pages())
    expect(await count()).toContain(`${pages.length} of ${pages.length} pages`)
    const wanted = pages.find(({ title }) => title === 'Line ends')
    await page.getByRole('option', { name: 'Line ends' }).click()
    await page.getByRole('heading', { name: 'Line ends' }).waitFor()
    expect(await page.locator('.wikitext').textContent()).toBe(wanted?.revision?.text)
  })

  thorough('opens a file that is dropped, and in other views keeps the browser from opening it', async () => {
    const transfer = await page.evaluateHandle(
      (bytes) => {
        const data = new DataTransfer()
        data.items.add(new File([new Uint8Array(bytes)], 'dropped.xml'))
        return data
      },
      [...dump],
    )
    await page.getByRole('link', { name: 'Waiting', exact: true }).click()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const isLeft = await page.evaluate((dataTransfer) => {
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
      return document.querySelector('main')?.dispatchEvent(drop)
    }, transfer)
    expect(isLeft).toBe(false)
    await page.getByRole('link', { name: 'Explorer', exact: true }).click()
    await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer })
    await page.dispatchEvent('main', 'drop', { dataTransfer: transfer })
    await page.getByRole('heading', { name: 'dropped.xml' }).waitFor()
    await state('read to the end')
    await page.getByRole('option', { name: 'Line ends' }).click()
    await page.getByRole('heading', { name: 'Line ends' }).waitFor()
  })

  thorough('finds pages by title, namespace and redirect', async () => {
    await choose('many.xml', Buffer.concat([...makeDump(2000)]))
    await state('read to the end')
    await page.getByLabel('Title').fill('page 199')
    await expect.poll(count).toBe('11 of 2,000 pages.')
    await page.getByLabel('Namespace').selectOption('1')
    // 199, 1990 to 1999: of these 1995 is a talk page.
    await expect.poll(count).toBe('1 of 2,000 pages.')
    await expect.poll(() => rows().allTextContents()).toEqual(['Talk:Page 19951995'])
    await page.getByLabel('Title').fill('')
    await page.getByLabel('Redirects').selectOption('only')
    await expect.poll(count).toBe('28 of 2,000 pages.')
    await page.getByLabel('Title').fill('nothing has this title')
    await expect.poll(count).toBe('0 of 2,000 pages.')
  })

  thorough('opens the page that is clicked while more pages come', async () => {
    const server = await serve(async (response) => {
      for (const piece of makeDump(1_000_000, 500)) {
        if (response.destroyed) return
        response.write(piece)
        await wait(30)
      }
    })
    await openAddress(`${server.url}slow.xml`)
    await rows().nth(9).waitFor()
    for (let place = 0; place < 8; place++) {
      await rows().nth(place).hover()
      await page.mouse.down()
      // As long as a person takes; the list grows meanwhile.
      await wait(250)
      await page.mouse.up()
      await expect.poll(() => rows().nth(place).getAttribute('aria-selected')).toBe('true')
    }
    // This server sends only the whole file.
    await page.getByRole('heading', { name: 'The server does not give parts of this file' }).waitFor()
    server.close()
  })

  thorough('opens the same file again, and moves the focus to what comes', async () => {
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    for (let i = 0; i < 2; i++) {
      await choose('small.xml', dump)
      await state('read to the end')
      await page.getByRole('button', { name: 'Open another' }).press('Enter')
      expect(await focused()).toBe('Choose a file')
    }
    await page.getByRole('button', { name: 'a feed (Atom)' }).press('Enter')
    await state('read to the end')
    expect(await focused()).toBe('feed.atom')
  })

  thorough('does not open pages of dumps in other encodings', async () => {
    await choose('old.xml', Buffer.concat([Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?>'), dump]))
    await page.getByText('This dump is not in UTF-8').waitFor()
  })

  thorough('stops reading records, and says how many there were', async () => {
    const server = await serve(async (response) => {
      response.write('<r>')
      for (let i = 0; !response.destroyed; i++) {
        response.write(`<p id="${i}"><t>${'text '.repeat(20)}</t></p>`.repeat(200))
        await wait(20)
      }
    })
    await openAddress(`${server.url}%E0%A4%A.xml`)
    await page.getByRole('button', { name: 'Use as record: r/p', exact: true }).click()
    for (const width of [400, 1400]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    }
    await page.getByRole('button', { name: 'Read all records' }).click()
    await page.getByText('records so far').waitFor()
    await page.getByRole('button', { name: 'Stop reading records' }).click()
    const text = await page.getByText('records, then it was stopped.').textContent()
    await wait(500)
    expect(await page.getByText('records, then it was stopped.').textContent()).toBe(text)
    for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
    expect(await page.getByRole('button', { name: 'Read all records' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await state('cancelled')
    expect(await page.locator('progress').getAttribute('value')).toBe('0')
    server.close()
  })

  thorough('has a link to its content, which leads to no other view', async () => {
    await page.goto(`${visits.url}#grammar`)
    await page.getByRole('heading', { name: 'Grammar', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Skip to the content' }).press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
    expect(page.url()).toContain('#grammar')
    await page.goto(`${visits.url}#explorer/%`)
    await page.getByText('An address begins with https:// or http://.').waitFor()
  })

  thorough('is used with the keyboard alone', async () => {
    await choose('many.xml', Buffer.concat([...makeDump(2000)]))
    await state('read to the end')
    await page.getByRole('listbox', { name: 'Pages' }).focus()
    await page.keyboard.press('End')
    await page.getByRole('option', { name: 'Page 2000' }).waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Page 1999' }).waitFor()
  })

  thorough('says why pages in gzip cannot be opened one by one', async () => {
    await choose('small.xml.gz', gzipSync(dump))
    await state('read to the end')
    await page.getByText('gzip can only be read from its beginning').waitFor()
    expect(await rows().count()).toBe(10)
  })

  thorough('saves the pages that are shown as JSON lines and as CSV', async () => {
    await choose('small.xml.bz2', packed)
    await state('read to the end')
    await page.getByLabel('Title').fill('moved')
    await expect.poll(count).toBe('1 of 10 pages.')
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download these pages as JSON lines' }).click()
    const download = await waiting
    expect(download.suggestedFilename()).toBe('small.jsonl')
    const pages = await collectAll(readDump(dump).pages(({ title }) => title === 'Moved away'))
    expect(await readFile(await download.path(), 'utf8')).toBe(`${JSON.stringify(pages[0])}\n`)
    await page.getByRole('checkbox', { name: 'CSV without formulas' }).check()
    const waitingForTable = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download these pages as CSV' }).click()
    const table = await waitingForTable
    expect(table.suggestedFilename()).toBe('small.csv')
    const isWanted = ({ title }: { title: string }) => title === 'Moved away'
    const pieces = await collectAll(readDump(dump).writePages('csv', { isWanted, safe: true }))
    expect(await readFile(await table.path(), 'utf8')).toBe(Buffer.concat(pieces).toString())
  })

  thorough('shows the structure of other XML, and its records as a table and as files', async () => {
    await choose('map.osm', map)
    await state('read to the end')
    await page.getByRole('button', { name: 'Use as record: osm/node', exact: true }).click()
    await page.getByRole('heading', { name: 'Records of /osm/node' }).waitFor()
    const boxes = page.getByRole('checkbox')
    for (const box of await boxes.all())
      await box.setChecked((await box.evaluate((each) => each.nextSibling?.textContent)) === '@id')
    await page.getByRole('checkbox', { name: 'tag/@v' }).check()
    const shape = { id: '@id', v: ['tag/@v'] } as const
    const records = await collectAll(readXml(map).records('/osm/node', shape))
    await page.getByText(`${records.length} records.`).waitFor()
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(['id', 'v'])
    await expect
      .poll(() => page.locator('.list-row').allTextContents())
      .toEqual(records.map(({ id, v }) => `${id}${v.join(' · ')}`))
    for (const format of ['jsonl', 'csv'] as const) {
      const waiting = page.waitForEvent('download')
      await page.getByRole('button', { name: format === 'csv' ? 'Download CSV' : 'Download JSON lines' }).click()
      const file = await readFile(await (await waiting).path(), 'utf8')
      const lines = await collectAll(readXml(map).write(format, '/osm/node', shape))
      expect(file).toBe(Buffer.concat(lines).toString())
    }
  })

  thorough('pauses, resumes, and cancels a download half-way, which the server sees', async () => {
    let closed: Promise<unknown> | undefined
    let sent = 0
    const server = await serve(async (response) => {
      closed = new Promise((resolve) => response.once('close', resolve))
      for (const piece of makeDump(1_000_000, 1000)) {
        if (response.destroyed) return
        sent += piece.length
        response.write(piece)
        await wait(5)
      }
    })
    await openAddress(`${server.url}slow.xml`)
    await rows().first().waitFor()
    // A link to it can be passed on.
    expect(decodeURIComponent(new URL(page.url()).hash)).toBe(`#explorer/${server.url}slow.xml`)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await state('cancelled')
    await closed
    expect(sent).toBeLessThan(500_000_000)
    // What was found stays.
    expect(await rows().count()).toBeGreaterThan(5)
    server.close()
  })

  thorough('shows what a server sent before it broke off, and says so', async () => {
    const [head] = makeDump(500)
    const server = await serve((response) => {
      response.writeHead(200, { 'content-length': String(10_000_000) })
      response.write(head, () => setTimeout(() => response.destroy(), 300))
    })
    await openAddress(`${server.url}broken.xml`)
    await page
      .getByRole('alert')
      .getByRole('heading', { name: /broke off|cannot be read/ })
      .waitFor()
    expect(await rows().count()).toBeGreaterThan(5)
    server.close()
  })

  thorough.for([
    [
      'nothing at the address',
      (response: ServerResponse) => response.writeHead(404).end(),
      'There is nothing at this address',
    ],
    [
      'a server that refuses',
      (response: ServerResponse) => response.writeHead(403).end(),
      'The server refuses this address',
    ],
    [
      'a server without CORS',
      (response: ServerResponse) => (response.removeHeader('access-control-allow-origin'), response.end('<a/>')),
      'The address cannot be read',
    ],
  ] as const)('says what is wrong with %s', async ([, answer, title]) => {
    const server = await serve((response) => void answer(response))
    await openAddress(`${server.url}dump.xml`)
    await page.getByRole('alert').getByRole('heading', { name: title }).waitFor()
    server.close()
  })

  thorough.for([
    ['what is not XML', 'photo.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]), 'This is a JPEG image, not XML'],
    ['an empty file', 'empty.xml', Buffer.alloc(0), 'This file is empty'],
    ['XML that is not well-formed', 'wrong.xml', Buffer.from('<a>\n<b></a>'), 'This XML is not well-formed'],
    ['a dump that ends too early', 'cut.xml', dump.subarray(0, 5000), 'The document ends too early'],
    ['an archive that ends too early', 'cut.bz2', packed.subarray(0, 1500), 'The file ends too early'],
    [
      'an archive of another kind',
      'dump.7z',
      Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 0, 0, 0, 0]),
      'This is a 7z archive, not XML',
    ],
  ] as const)('says what is wrong with %s', async ([, name, bytes, title]) => {
    await choose(name, bytes)
    await page.getByRole('alert').getByRole('heading', { name: title }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Open another' }).click()
    await page.getByRole('heading', { name: 'Look into XML of any size' }).waitFor()
  })

  thorough('shows what an address begins with', async () => {
    await openAddress('C:\\dump.xml')
    await page.getByText('An address begins with https:// or http://.').waitFor()
  })

  thorough('can be read by everybody, at any width and in both colour schemes', async () => {
    expect(await findViolations(page)).toEqual([])
    expect(await takeScreenshots(page, 'explorer-open')).toEqual([])
    await choose('small-dump.xml.bz2', packed)
    await state('read to the end')
    await page.getByRole('option', { name: 'Line ends' }).click()
    await page.getByRole('heading', { name: 'Line ends' }).waitFor()
    expect(await takeScreenshots(page, 'explorer-dump')).toEqual([])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findViolations(page)).toEqual([])
    }
  })

  thorough('shows structures that everybody can read', async () => {
    await choose('map.osm', map)
    await state('read to the end')
    await page.getByRole('button', { name: 'Use as record: osm/node', exact: true }).click()
    await page.getByRole('columnheader', { name: 'id', exact: true }).waitFor()
    expect(await takeScreenshots(page, 'explorer-xml')).toEqual([])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findViolations(page)).toEqual([])
    }
  })

  thorough('is one file, too, which opens from a disk', async () => {
    const file = fileURLToPath(new URL('build/playground.html', root))
    await page.goto(pathToFileURL(file).href)
    await page.getByRole('button', { name: 'a small wiki (bzip2)' }).click()
    await state('read to the end')
    await page.getByRole('option', { name: 'Line ends' }).click()
    await page.getByRole('heading', { name: 'Line ends' }).waitFor()
  })

  thorough('works without WebAssembly, and says that it is slow', async () => {
    const without = await launchBrowser('--jitless')
    const other = await without.newPage()
    await other.goto(visits.url)
    await other.getByRole('button', { name: 'a small wiki (bzip2)' }).click()
    await other.getByText('read to the end').waitFor()
    await other.getByText('without WebAssembly, so it is slow').waitFor()
    await other.getByRole('option', { name: 'Line ends' }).click()
    await other.getByRole('heading', { name: 'Line ends' }).waitFor()
    await without.close()
  })

  thorough('ends where its worker cannot be started, and says so', async () => {
    const context = await visits.browser.newContext()
    const other = await context.newPage()
    await other.route(/explorer-worker/, (route) => route.abort())
    await other.goto(visits.url)
    await other.getByRole('button', { name: 'a feed (Atom)' }).click()
    await other.getByRole('alert').getByRole('heading', { name: 'The file cannot be read here' }).waitFor()
    await other.getByText('ended by an error', { exact: true }).waitFor()
    expect(await other.getByRole('button', { name: /^(?:Pause|Cancel)$/ }).count()).toBe(0)
    expect(await other.locator('progress').getAttribute('value')).toBe('0')
    await context.close()
  })

  thorough('scrolls through a million pages, without holding up the browser', RETRIES, async () => {
    const server = await serve(async (response) => {
      for (const piece of makeDump(1_000_000))
        if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve))
      response.end()
    })
    const { long, all } = await findLongTasks(visits.browser, page, async () => {
      await openAddress(`${server.url}million.xml`)
      await rows().first().waitFor()
      const list = page.getByRole('listbox', { name: 'Pages' })
      for (let i = 0; i < 20; i++) {
        await list.evaluate((element) => element.scrollBy(0, element.scrollHeight / 30))
        await wait(50)
      }
      await page.getByText('read to the end').waitFor({ timeout: 120_000 })
      await list.focus()
      await page.keyboard.press('End')
      await page.getByRole('option', { name: 'Page 1000000' }).waitFor()
      await page.getByLabel('Title').fill('page 999999')
      await expect.poll(count).toBe('1 of 1,000,000 pages.')
    })
    expect(all).toBeGreaterThan(100)
    expect(long).toEqual([])
    server.close()
  })
})

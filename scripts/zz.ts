import { launchBrowser, startServer } from '../test/support/browser.ts'
import { servePlayground } from '../test/support/playground.ts'
import { makeDump } from '../test/support/dump.ts'
import { observeLongTasks, takeLongTasks } from '../test/support/long-tasks.ts'
const server = await startServer(async (_q, response) => {
  response.setHeader('access-control-allow-origin', '*')
  for (const piece of makeDump(1_000_000)) if (!response.write(piece)) await new Promise((r) => response.once('drain', r))
  response.end()
})
const pg = await servePlayground()
const b = await launchBrowser()
const page = await b.newPage({ viewport: { width: 1400, height: 900 } })
await observeLongTasks(page)
await page.goto(pg.url)
const cdp = await page.context().newCDPSession(page)
await cdp.send('Profiler.enable'); await cdp.send('Profiler.start')
await page.getByLabel('or open an address:').fill(`${server.url}m.xml`)
await page.getByRole('button', { name: 'Open', exact: true }).click()
await page.locator('.page-row').first().waitFor()
const list = page.getByRole('listbox')
for (let i = 0; i < 20; i++) { await list.evaluate((e) => e.scrollBy(0, e.scrollHeight / 30)); await page.waitForTimeout(50) }
await page.getByText('read to the end').waitFor({ timeout: 60000 })
const { profile } = await cdp.send('Profiler.stop')
const self = new Map<string, number>()
profile.samples!.forEach((id: number, i: number) => { const n = profile.nodes.find((x: any) => x.id === id)!; const k = n.callFrame.functionName + ':' + n.callFrame.lineNumber; self.set(k, (self.get(k) ?? 0) + profile.timeDeltas![i]) })
console.log([...self].sort((a, b2) => b2[1] - a[1]).slice(0, 12).map(([k, v]) => `${k} ${(v / 1000).toFixed(0)} ms`).join('\n'))
console.log(await takeLongTasks(page))
await b.close(); pg.close(); server.close()

// The view "Grammar" as a person uses it, in a real browser. Skipped where there is no Chromium.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { chromiumPath, launchBrowser, type PageServer } from '../support/browser.ts'
import { isThorough } from '../support/extent.ts'
import { findLongTasks } from '../support/long-tasks.ts'
import { servePlayground } from '../support/playground.ts'
import { takeScreenshots } from '../support/screenshots.ts'

const LISTS = 'program ::= list ;\nlist    ::= %"(" ( list | word )* %")" ;\nword    ::= [a-z]+ %[ \\n]? ;'

/** One of these tests is a part of `npm test`. */
const testAll = test.runIf(isThorough)

describe.runIf(chromiumPath)('the view Grammar', () => {
  let browser: Browser
  let server: PageServer
  const failures: string[] = []

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([servePlayground(), launchBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  /** Opens the page, does something, and closes it. Whatever the page says in its console is a failure. */
  async function visit(
    use: (page: Page) => Promise<void>,
    prepare: (page: Page) => Promise<void> = async () => {},
    address = '',
  ): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } })
    const page = await context.newPage()
    failures.length = 0
    page.on('pageerror', (error) => failures.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') failures.push(message.text())
    })
    page.setDefaultTimeout(20_000)
    await prepare(page)
    try {
      await page.goto(`${server.url}#grammar${address}`)
      await page.getByRole('heading', { name: 'Grammar', level: 1 }).waitFor()
      await use(page)
      expect(failures).toEqual([])
    } finally {
      await context.close()
    }
  }

  const grammarOf = (page: Page) => page.getByRole('textbox', { name: 'Grammar' })
  const inputOf = (page: Page) => page.getByRole('textbox', { name: 'Input' })
  const rowsOf = (page: Page) => page.getByRole('treeitem')
  const marked = async (page: Page, name: string): Promise<string> =>
    (await page.locator(`.grammar-editor-${name} .grammar-mark`).allTextContents()).join('')

  async function waitForTree(page: Page): Promise<void> {
    await settle(page)
    await page.getByText('The input matches.').waitFor()
    await rowsOf(page).first().waitFor()
  }

  /** Pastes as a person does. `fill` of a large text makes the browser lay all of it out before the editor hears of it. */
  const paste = (page: Page, text: string): Promise<void> =>
    inputOf(page).evaluate((editor, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', pasted)
      editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)

  /** Waits until nothing that was typed is still to be parsed. */
  async function settle(page: Page): Promise<void> {
    await page.locator('section[aria-busy="false"]').waitFor()
  }

  async function fill(page: Page, grammar: string, input: string): Promise<void> {
    await grammarOf(page).fill(grammar)
    await inputOf(page).fill(input)
  }

  test('shows an error of the grammar in its place and in words, until it is corrected', () =>
    visit(async (page) => {
      await fill(page, LISTS.replace('| word', '| wrod'), '(ab (c))')
      const problem = page.getByRole('button', { name: /unknown rule wrod/ })
      await problem.waitFor()
      expect(await page.locator('.grammar-editor-grammar .cm-lintRange-error').allTextContents()).toEqual(['wrod'])
      expect(await page.locator('.grammar-editor-grammar .cm-lint-marker-error').count()).toBe(1)
      await page.getByText('did you mean word?').waitFor()
      await page.getByText('There is no tree yet: the grammar has an error').waitFor()
      expect(await rowsOf(page).count()).toBe(0)

      // The list leads to the place, where the word is selected: what is typed replaces it.
      await problem.click()
      await page.keyboard.type('word')
      await waitForTree(page)
      expect(await page.locator('.cm-lintRange-error').count()).toBe(0)
      expect(await problem.count()).toBe(0)
      expect(await rowsOf(page).first().textContent()).toContain('program')
    }))

  testAll('marks what a node covers, and its rule, and selects the node at the cursor', () =>
    visit(async (page) => {
      await fill(page, LISTS, '(ab (c))')
      await waitForTree(page)
      await page.getByRole('treeitem', { name: /^word ab/ }).hover()
      expect(await marked(page, 'input')).toBe('ab ')
      expect(await marked(page, 'grammar')).toBe('word    ::= [a-z]+ %[ \\n]? ;')
      await page.getByRole('treeitem', { name: /^list \(c\)/ }).hover()
      expect(await marked(page, 'input')).toBe('(c)')
      expect(await marked(page, 'grammar')).toContain('list    ::=')

      await inputOf(page).press('Control+Home')
      for (let i = 0; i < 5; i++) await inputOf(page).press('ArrowRight')
      expect(await page.locator('[aria-selected="true"]').textContent()).toBe('"c"5–6')
      expect(await marked(page, 'input')).toBe('c')
    }),
  )

  testAll('can be used by keyboard alone', () =>
    visit(async (page) => {
      await fill(page, LISTS, '(ab (c))')
      await waitForTree(page)
      await grammarOf(page).focus()
      const focused = () =>
        page.evaluate(() =>
          document.activeElement?.closest('[aria-labelledby], button, [role=tree]')?.textContent?.slice(0, 9),
        )
      await page.keyboard.press('Tab')
      expect(await inputOf(page).evaluate((editor) => editor === document.activeElement)).toBe(true)
      await page.keyboard.press('Tab')
      expect(await focused()).toBe('Open all')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      const tree = page.getByRole('tree')
      expect(await tree.evaluate((element) => element === document.activeElement)).toBe(true)
      const current = () =>
        tree.evaluate(
          (element) => document.getElementById(element.getAttribute('aria-activedescendant') ?? '')?.textContent,
        )
      expect(await current()).toContain('program')
      await page.keyboard.press('ArrowLeft')
      expect(await rowsOf(page).count()).toBe(1)
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      expect(await current()).toContain('list')
      expect(await marked(page, 'input')).toBe('(ab (c))')
      await page.keyboard.press('End')
      expect(await current()).toContain('"c"')
      await page.keyboard.press('ArrowLeft')
      expect(await current()).toContain('word')
      expect(await marked(page, 'input')).toBe('c')
    }),
  )

  testAll('traces where the parse of an input stopped', () =>
    visit(async (page) => {
      await fill(page, LISTS, '(ab\n(c,d))')
      await page.getByRole('heading', { name: 'The input does not match the grammar' }).waitFor()
      await page.getByText('line 2, column 3 (byte 6)').waitFor()
      expect(await page.locator('.grammar-excerpt').textContent()).toBe('(c,d))\n  ^')
      expect(await page.locator('.grammar-chips li').allTextContents()).toContain('")"')
      expect(await page.locator('.grammar-chain li').allTextContents()).toEqual(['program', 'list', 'list'])
      expect(await page.locator('.grammar-editor-input .cm-lintRange-error').allTextContents()).toEqual([','])
      await page.getByRole('button', { name: 'Go there' }).click()
      await page.keyboard.press('Delete')
      await waitForTree(page)
      expect(await page.locator('.cm-lintRange-error').count()).toBe(0)
    }),
  )

  testAll('is the same after a reload, by its permalink', () =>
    visit(async (page) => {
      await fill(page, LISTS.replaceAll('program', 'start'), 'ab')
      await page.getByLabel('Begin with the rule').selectOption('word')
      await waitForTree(page)
      // The address changes when nothing was typed for a while.
      await page.waitForTimeout(1000)
      expect(new URL(page.url()).hash).toMatch(/^#grammar\/[\w-]{20,}$/)
      await page.reload()
      await waitForTree(page)
      expect(await inputOf(page).textContent()).toBe('ab')
      expect(await page.getByLabel('Begin with the rule').inputValue()).toBe('word')
      expect(await page.getByLabel('Example').locator('option:checked').textContent()).toBe('Your own')
      expect(await rowsOf(page).first().textContent()).toBe('wordab0–2')
    }),
  )

  testAll('says that a permalink is damaged, and shows the first example', () =>
    visit(
      async (page) => {
        await page.getByRole('alert').getByText('This link cannot be opened: the link is damaged').waitFor()
        await waitForTree(page)
        expect(await page.getByLabel('Example').locator('option:checked').textContent()).toBe('Arithmetic')
      },
      undefined,
      '/q1YqSc1LSS1KTS_JzEtXsgJR',
    ),
  )

  testAll('shows what a link holds that is pasted, and keeps its texts when its tab is clicked', () =>
    visit(async (page) => {
      await waitForTree(page)
      await page.getByLabel('Example').selectOption({ label: 'CSV' })
      await waitForTree(page)
      await page.waitForTimeout(1000)
      const csv = page.url()
      await page.getByLabel('Example').selectOption({ label: 'JSON' })
      await page.waitForTimeout(1000)
      await page.evaluate((url) => location.assign(url), csv)
      await page.getByText('record ( %separator record )*').waitFor()
      await waitForTree(page)
      expect(await page.getByLabel('Example').locator('option:checked').textContent()).toBe('CSV')

      await inputOf(page).fill('a,b')
      await page.waitForTimeout(1000)
      await page.getByRole('link', { name: 'Grammar' }).click()
      await waitForTree(page)
      expect(await inputOf(page).textContent()).toBe('a,b')
      await page.waitForFunction(() => location.hash.length > 20)
      await page.getByRole('link', { name: 'Explorer' }).click()
      await page.getByRole('heading', { name: 'Look into XML of any size' }).waitFor()
      await page.getByRole('link', { name: 'Grammar' }).click()
      await waitForTree(page)
      expect(await inputOf(page).textContent()).toBe('a,b')
    }),
  )

  testAll('says that a text is too long for a link', () =>
    visit(async (page) => {
      let seed = 1
      const input = Array.from({ length: 80_000 }, () => {
        seed = (seed * 48_271) % 2_147_483_647
        return String.fromCharCode(33 + (seed % 90))
      }).join('')
      await inputOf(page).fill(input)
      await page.getByText('Too long for a link').waitFor()
      expect(new URL(page.url()).hash).toBe('#grammar')
      await inputOf(page).fill('')
      await page
        .getByText('Too long for a link')
        .waitFor({ state: 'detached' })
        .catch(() => {})
      await page.waitForTimeout(1000)
      expect(await page.getByText('Too long for a link').count()).toBe(0)
    }),
  )

  testAll('has examples, all of which match', () =>
    visit(async (page) => {
      const example = page.getByLabel('Example')
      const labels = (await example.locator('option:not(:disabled)').allTextContents()).reverse()
      expect(labels.length).toBe(8)
      for (const label of labels) {
        await example.selectOption({ label })
        await waitForTree(page)
        expect(await example.locator('option:checked').textContent()).toBe(label)
      }
      expect(await grammarOf(page).textContent()).toContain('Arithmetic')
    }),
  )

  testAll('shows each rule with its verdict on streaming and its diagram', () =>
    visit(async (page) => {
      await fill(
        page,
        'program ::= line* ;\nline ::= ( a+ "!" ) | ( b+ "?" ) ;\na ::= [a-z] "," ;\nb ::= [a-y] "," ;',
        'a,b,!',
      )
      const rule = (name: string) =>
        page.locator('.grammar-rules > li', { has: page.getByRole('button', { name, exact: true }) })
      await rule('line').getByText('holds input back').waitFor()
      await rule('line').getByText('four bytes do not decide how').waitFor()
      await rule('program').getByText('bounded', { exact: true }).waitFor()
      await rule('program').scrollIntoViewIfNeeded()
      const drawing = page.getByRole('img', { name: 'Railroad diagram: program is zero or more of line' })
      await drawing.waitFor()
      expect(await drawing.locator('text').allTextContents()).toEqual(['line'])
      await rule('line').getByRole('button', { name: 'line 2' }).click()
      await page.keyboard.press('Delete')
      await page.getByText('There is no tree yet').waitFor()
    }),
  )

  testAll('explains a grammar that reads the same input again and again', () =>
    visit(async (page) => {
      const grammar =
        'program ::= sum ;\nsum ::= ( product "+" sum ) | product ;\nproduct ::= [0-9]+ | ( "(" sum ")" ) ;'
      await fill(page, grammar, `${'('.repeat(60)}1${')'.repeat(60)}`)
      await page.getByRole('heading', { name: 'The parse needs more than it may have' }).waitFor()
      await page.getByRole('button', { name: /begins with product, which is then parsed again/ }).waitFor()
      await inputOf(page).fill('(1)')
      await waitForTree(page)
    }),
  )

  testAll('ends a worker that takes too long, and starts another when something is changed', () =>
    visit(
      async (page) => {
        await page.getByRole('heading', { name: 'This takes too long' }).waitFor()
        await page.getByRole('status').getByText('Ended after 5 seconds.').waitFor()
        await inputOf(page).fill('1;')
        await waitForTree(page)
        expect(await page.getByRole('heading', { name: 'This takes too long' }).count()).toBe(0)
      },
      async (page) => {
        // Stands in for a grammar that takes longer than any test should.
        const body = 'onmessage = () => { for (;;); }'
        await page.route('**/grammar-worker.js', (route) => route.fulfill({ body, contentType: 'text/javascript' }), {
          times: 1,
        })
      },
    ),
  )

  testAll('says so where the worker cannot be started', () =>
    visit(
      async (page) => {
        await page.getByRole('heading', { name: 'The parser could not be started' }).waitFor()
        failures.length = 0
      },
      async (page) => {
        await page.route('**/grammar-worker.js', (route) => route.abort())
      },
    ),
  )

  testAll('shows a tree of a hundred thousand nodes without a long task', () =>
    visit(async (page) => {
      await fill(page, LISTS, '')
      await settle(page)
      const { long, all } = await findLongTasks(browser, page, async () => {
        await paste(page, `(${'(ab c)'.repeat(20_000)})`)
        await page.getByText(/^\d{3},\d{3} nodes/).waitFor()
        await page.getByRole('button', { name: 'Open all' }).click()
        await page.getByRole('tree').press('End')
        await page.getByRole('tree').press('PageUp')
        await rowsOf(page).nth(2).hover()
      })
      expect(all).toBeGreaterThan(10)
      expect(long).toEqual([])
      expect(await rowsOf(page).count()).toBeLessThan(100)
    }),
  )

  testAll('has labels, roles and contrast, and fits any screen', () =>
    visit(async (page) => {
      const check = async (name: string): Promise<void> => {
        expect(await takeScreenshots(page, name)).toEqual([])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          expect(await findViolations(page)).toEqual([])
        }
      }
      await waitForTree(page)
      await page.getByText('holds input back').first().waitFor()
      await page.locator('svg.railroad-diagram').first().waitFor()
      await rowsOf(page).nth(5).hover()
      await page.evaluate(() => scrollTo(0, 0))
      await check('grammar')
      await page.locator('.grammar-rules-card').evaluate((card) => card.scrollIntoView())
      await check('grammar-rules')
      await inputOf(page).fill('let a = (1 + 2;')
      await page.getByRole('heading', { name: 'The input does not match the grammar' }).waitFor()
      await check('grammar-failure')
      await grammarOf(page).fill('program ::= \'a\' ;\na ::= "b" * ;\nc ::= "a" | "ab" ;')
      await page.getByText('put literals in double quotes').first().waitFor()
      await check('grammar-problems')
    }),
  )
})

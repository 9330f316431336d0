// The view "Grammar" as a person uses it, in a real browser. Skipped where there is no Chromium.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { chromiumPath } from '../support/browser.ts'
import { isThorough } from '../support/extent.ts'
import {
  fill,
  grammarOf,
  inputOf,
  LISTS,
  marked,
  paste,
  replace,
  rowsOf,
  settle,
  type Visit,
  visitGrammar,
  waitForTree,
} from '../support/grammar-page.ts'
import { findLongTasks } from '../support/long-tasks.ts'
import { takeScreenshots } from '../support/screenshots.ts'
import { usePlayground } from '../support/use-playground.ts'

/** One of these tests is a part of `npm test`. */
const testAll = test.runIf(isThorough)

describe.runIf(chromiumPath)('the view Grammar', () => {
  const playground = usePlayground()

  const visit = (use: (page: Page) => Promise<void>, how: Visit = {}): Promise<void> =>
    visitGrammar(playground, how, use)

  test.runIf(isThorough)('shows an error of the grammar in its place and in words, until it is corrected', () =>
    visit(async (page) => {
      await fill(page, LISTS.replace('| word', '| wrod'), '(ab (c))')
      const problem = page.getByRole('button', { name: /unknown rule wrod/ })
      await problem.waitFor()
      // What was half typed may have had other errors before.
      const ranges = page.locator('.grammar-editor-grammar .cm-lintRange-error')
      await expect.poll(() => ranges.allTextContents()).toEqual(['wrod'])
      await expect.poll(() => page.locator('.grammar-editor-grammar .cm-lint-marker-error').count()).toBe(1)
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
    }),
  )

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

  testAll('shows the value beside the tree where there are fields, and why there is none', () =>
    visit(async (page) => {
      const value = page.getByRole('region', { name: 'Value' })
      await fill(page, LISTS, '(ab (c))')
      await waitForTree(page)
      await value.waitFor({ state: 'hidden' })
      const pairs = 'program ::= pair* ;\npair ::= key:word %"=" value:word %"\\n"? ;\nword ::= [a-z]+ ;'
      await fill(page, pairs, 'a=b')
      await value.getByText('"key": "a"').waitFor()
      const shown = await value.locator('pre').textContent()
      expect(JSON.parse(shown ?? '')).toEqual([{ key: 'a', value: 'b' }])
      const isBeside = async () => {
        const tree = await page.getByRole('region', { name: 'Tree' }).boundingBox()
        const beside = await value.boundingBox()
        return beside?.y === tree?.y && (beside?.x ?? 0) > (tree?.x ?? 0)
      }
      await expect.poll(isBeside).toBe(true)
      await fill(page, pairs.replace('pair* ;', 'pair* word ;'), 'a=b')
      await page.getByRole('heading', { name: 'The input does not match the grammar' }).waitFor()
      await value.waitFor({ state: 'hidden' })
      await fill(page, pairs.replace('pair* ;', 'pair* word ;'), 'a=b\nc')
      await value.getByText('has 2 parts that give something here').waitFor()
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
      expect(await inputOf(page).evaluate((editor) => editor.matches(':focus'))).toBe(true)
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
      await replace(inputOf(page), '(1)')
      await waitForTree(page)
    }),
  )

  testAll('ends a worker that takes too long, and starts another when something is changed', () =>
    visit(
      async (page) => {
        await page.getByRole('heading', { name: 'This takes too long' }).waitFor()
        await page.getByRole('status').getByText('Ended after 5 seconds.').waitFor()
        await replace(inputOf(page), '1 egg')
        await waitForTree(page)
        expect(await page.getByRole('heading', { name: 'This takes too long' }).count()).toBe(0)
      },
      {
        prepare: async (page) => {
          // Stands in for a grammar that takes longer than any test should.
          const body = 'onmessage = () => { for (;;); }'
          const answer = { body, contentType: 'text/javascript' }
          await page.route('**/grammar-worker-*.js', (route) => route.fulfill(answer), { times: 1 })
        },
      },
    ),
  )

  testAll('says so where the worker cannot be started', () =>
    visit(
      async (page) => {
        await page.getByRole('heading', { name: 'The parser could not be started' }).waitFor()
      },
      {
        prepare: (page) => page.route('**/grammar-worker-*.js', (route) => route.abort()).then(() => {}),
        isNoisy: true,
      },
    ),
  )

  testAll('shows a tree of a hundred thousand nodes without a long task', () =>
    visit(async (page) => {
      await fill(page, LISTS, '')
      await settle(page)
      const { long, all } = await findLongTasks(playground.browser, page, async () => {
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
      await page.getByLabel('Example').selectOption({ label: 'Arithmetic' })
      await page.getByText('holds input back').first().waitFor()
      await waitForTree(page)
      await page.locator('svg.railroad-diagram').first().waitFor()
      await rowsOf(page).nth(7).click()
      await page.evaluate(() => scrollTo(0, 0))
      await check('grammar')
      await page.locator('.grammar-rules-card').evaluate((card) => card.scrollIntoView())
      await check('grammar-rules')
      await replace(inputOf(page), 'let a = (1 + 2;')
      await page.getByRole('heading', { name: 'The input does not match the grammar' }).waitFor()
      await check('grammar-failure')
      await replace(grammarOf(page), 'program ::= \'a\' ;\na ::= "b" * ;\nc ::= "a" | "ab" ;')
      await page.getByText('put literals in double quotes').first().waitFor()
      await check('grammar-problems')
    }),
  )
})

// What the view "Grammar" shows at once, and how it helps with grammars that cannot be used. In a real browser; skipped where there is no Chromium.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { chromiumPath } from '../support/browser.ts'
import { isThorough } from '../support/extent.ts'
import { fill, grammarOf, inputOf, settle, visitGrammar, waitForTree } from '../support/grammar-page.ts'
import { takeScreenshots } from '../support/screenshots.ts'
import { usePlayground } from '../support/use-playground.ts'

describe.runIf(chromiumPath && isThorough)('the view Grammar', () => {
  const playground = usePlayground()

  const visit = (use: (page: Page) => Promise<void>): Promise<void> => visitGrammar(playground, {}, use)

  const check = async (page: Page, name: string): Promise<void> => {
    expect(await takeScreenshots(page, name)).toEqual([])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findViolations(page)).toEqual([])
    }
  }

  test('shows grammar, input, tree and value at once, and the language beside them', () =>
    visit(async (page) => {
      await waitForTree(page)
      const places = [
        page.getByRole('region', { name: 'Grammar', exact: true }),
        page.getByRole('region', { name: 'Input' }),
        page.getByRole('region', { name: 'Tree' }),
        page.getByRole('region', { name: 'Value' }),
      ]
      const sheet = page.getByRole('region', { name: 'The language of grammars' })
      const boxesOf = async (): Promise<{ x: number; y: number; width: number; height: number }[]> => {
        const boxes = await Promise.all(places.map((place) => place.boundingBox()))
        return boxes.map((box) => box ?? { x: -1, y: -1, width: 0, height: 0 })
      }
      const expectInside = async (): Promise<void> => {
        for (const { x, y, width, height } of await boxesOf()) {
          expect(x >= 0 && y >= 0 && x + width <= 1400 && y + height <= 900).toBe(true)
          expect(Math.min(width, height)).toBeGreaterThan(250)
        }
      }
      expect(await places[3]?.locator('pre').textContent()).toContain('"name": "loaf of bread"')
      await expectInside()
      const before = await boxesOf()

      const button = page.getByRole('button', { name: 'Language sheet' })
      expect(await button.getAttribute('aria-expanded')).toBe('false')
      await button.click()
      await sheet.getByText('the first option that matches, and then no other one').waitFor()
      expect(await sheet.getByRole('link').getAttribute('href')).toBe('#docs/grammar')
      places.push(sheet)
      await expectInside()
      expect((await boxesOf()).slice(0, 4).map(({ y, height }) => [y, height])).toEqual(
        before.map(({ y, height }) => [y, height]),
      )
      await check(page, 'grammar-sheet')
      await sheet.getByRole('button', { name: 'Close' }).press('Escape')
      expect(await sheet.isVisible()).toBe(false)
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)

      // On a phone they stand one below the other.
      await page.setViewportSize({ width: 400, height: 900 })
      await button.click()
      const [grammar, input, tree, value, shown] = (await boxesOf()).map(({ y }) => y) as [number, ...number[]]
      const inOrder = [grammar, shown, input, tree, value]
      expect(inOrder).toEqual(inOrder.toSorted((one = 0, other = 0) => one - other))
    }))

  test('has its editors in shadow roots, whose styles need no style element', () =>
    visit(async (page) => {
      await waitForTree(page)
      const found = await grammarOf(page).evaluate((editor) => {
        const root = editor.getRootNode()
        if (!(root instanceof ShadowRoot)) return undefined
        const { color } = getComputedStyle(root.querySelector('.notation-definition') as Element)
        return {
          sheets: root.adoptedStyleSheets.length,
          styles: root.querySelectorAll('style, [style*=url]').length,
          color,
        }
      })
      expect(found).toMatchObject({ styles: 0, color: 'rgb(27, 107, 65)' })
      expect(found?.sheets).toBeGreaterThan(1)
      // Typing over a selection is one step, which can be undone.
      const text = await inputOf(page).innerText()
      await inputOf(page).press('Control+A')
      await page.keyboard.type('1')
      expect(await inputOf(page).textContent()).toBe('1')
      await page.keyboard.press('Control+Z')
      expect(await inputOf(page).innerText()).toBe(text)
    }))

  test('says in which notation a grammar is, and rewrites a rule that begins with itself', () =>
    visit(async (page) => {
      await fill(page, '<sum> ::= <digit> "+" <sum> | <digit>\n<digit> ::= "0" | "1"', '1+0')
      const problems = page.getByRole('region', { name: 'Problems of the grammar' })
      await problems.getByText('this looks like BNF with names in angle brackets').waitFor()
      await problems.getByText('sum ::= ( digit "+" sum ) | digit ;').waitFor()
      expect(await page.locator('.cm-lintRange-error').allTextContents()).toEqual(['<sum> ::='])
      expect(await problems.getByRole('button', { name: 'Rewrite the rule' }).count()).toBe(0)
      await check(page, 'grammar-notation')

      const grammar = 'program ::= sum ;\nsum ::= sum "+" digit | sum "-" digit | digit ;\ndigit ::= [0-9] ;'
      await fill(page, grammar, '1+0-2')
      await problems.getByRole('button', { name: 'Rewrite the rule' }).click()
      await waitForTree(page)
      const rewritten = 'digit ( ( left:< "+" right:digit ) | ( left:< "-" right:digit ) )*'
      expect(await grammarOf(page).innerText()).toContain(`sum ::= ${rewritten} ;`)
      await page.getByRole('region', { name: 'Value' }).getByText('"left": "1"').waitFor()
      // The keyboard is in the editor.
      await page.keyboard.press('Control+Z')
      await settle(page)
      expect(await grammarOf(page).innerText()).toBe(grammar)
      await problems.getByText('sum begins with itself').waitFor()
      await check(page, 'grammar-recursion')
    }))
})

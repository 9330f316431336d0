// The view "Grammar" of the page, as tests use it.

import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { PlaygroundInBrowser } from './use-playground.ts'

/** A grammar of lists of words. */
export const LISTS = 'program ::= list ;\nlist    ::= %"(" ( list | word )* %")" ;\nword    ::= [a-z]+ %[ \\n]? ;'

/** How a test uses the view. */
export interface Visit {
  /** What the fragment has after the name of the view. */
  readonly address?: string
  /** Before the page is opened. */
  prepare?(page: Page): Promise<void>
  /** Whether messages in the console are expected. */
  readonly isNoisy?: boolean
}

/** Opens the view, does something, and closes it. Otherwise whatever the page writes to its console as an error or a warning is a failure. */
export async function visitGrammar(
  { browser, url }: PlaygroundInBrowser,
  { address = '', prepare, isNoisy = false }: Visit,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } })
  const failures: string[] = []
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    page.on('pageerror', (error) => failures.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') failures.push(message.text())
    })
    await prepare?.(page)
    await page.goto(`${url}#grammar${address}`)
    await page.getByRole('heading', { name: 'Grammar', level: 1 }).waitFor()
    await use(page)
    if (!isNoisy) expect(failures).toEqual([])
  } finally {
    await context.close()
  }
}

export const grammarOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Grammar' })
export const inputOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Input' })
export const rowsOf = (page: Page): Locator => page.getByRole('treeitem')
/** The text that is marked in an editor. */
export const marked = async (page: Page, name: string): Promise<string> =>
  (await page.locator(`.grammar-editor-${name} .grammar-mark`).allTextContents()).join('')

/** Waits until the tree is that of what was typed. */
export async function waitForTree(page: Page): Promise<void> {
  await settle(page)
  await page.getByText('The input matches.').waitFor()
  await rowsOf(page).first().waitFor()
}

/** Pastes as a person does. `fill` of a large text makes the browser lay all of it out before the editor hears of it. */
export const paste = (page: Page, text: string): Promise<void> =>
  inputOf(page).evaluate((editor, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

/** Waits until nothing that was typed is still to be parsed. */
export async function settle(page: Page): Promise<void> {
  await page.locator('section[aria-busy="false"]').waitFor()
}

/** Replaces both texts. */
export async function fill(page: Page, grammar: string, input: string): Promise<void> {
  await replace(grammarOf(page), grammar)
  await replace(inputOf(page), input)
}

/**
 * Replaces the text of an editor by keys. `fill` of Playwright selects it in the document alone: an editor that has not heard of that yet
 * selects again what it knows, and what is typed is then put before the old text.
 */
export async function replace(editor: Locator, text: string): Promise<void> {
  await editor.press('Control+A')
  if (text === '') await editor.press('Delete')
  else await editor.page().keyboard.insertText(text)
}

// The view "Grammar": a grammar, an input, and the tree that they give.

import { addStyle } from '../shell/style.ts'
import type { View } from '../shell/view.ts'
import { examples } from './examples.ts'
import css from './grammar.css'
import { GrammarView } from './grammar-view.ts'
import { type Draft, decodeDraft } from './permalink.ts'

/** Opens the view with what a permalink holds; without one, or with one that is damaged, with the first example. */
export async function open(container: HTMLElement, address: string): Promise<View> {
  addStyle(css)
  const [{ grammar, input }] = examples
  let draft: Draft = { grammar, input, entry: '', dialect: 'bnf-parser' }
  let notice: string | undefined
  if (address !== '') {
    try {
      draft = await decodeDraft(address)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      notice = `This link cannot be opened: ${why}. Here is the first example instead.`
    }
  }
  return new GrammarView(container, draft, { address, notice })
}

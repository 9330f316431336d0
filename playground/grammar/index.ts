// The view "Grammar": a grammar, an input, and the tree that they give.

import { addStyle } from '../shell/style.ts'
import type { View } from '../shell/view.ts'
import { examples } from './examples.ts'
import css from './grammar.css'
import { GrammarView } from './grammar-view.ts'
import { type Draft, decodeDraft } from './link/permalink.ts'

/** What was shown when the view was closed, for when the visitor comes back to it. */
let last: Draft | undefined

/** Opens the view with what a permalink holds; without one, with what was shown last. Otherwise, and if the link is damaged, with the first example. */
export async function open(container: HTMLElement, address: string): Promise<View> {
  addStyle(css)
  const { draft, notice } = await chooseDraft(address)
  const view = new GrammarView(container, draft, { address, notice })
  return {
    close() {
      last = view.draft
      view.close()
    },
  }
}

async function chooseDraft(address: string): Promise<{ draft: Draft; notice: string | undefined }> {
  const [{ grammar, input }] = examples
  const first: Draft = { grammar, input, entry: '', dialect: 'bnf-parser' }
  if (address === '') return { draft: last ?? first, notice: undefined }
  try {
    return { draft: await decodeDraft(address), notice: undefined }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { draft: first, notice: `This link cannot be opened: ${why}. Here is the first example instead.` }
  }
}

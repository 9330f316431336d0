// The view "Grammar": a grammar, an input, and the tree that they give.

import { addStyle } from 'style:./grammar.css'
import type { Frame, Place, View } from '../shell/view.ts'
import { examples } from './examples.ts'
import { GrammarView } from './grammar-view.ts'
import { type Draft, decodeDraft, describeDamage } from './link/permalink.ts'
import { reserve } from './runner.ts'

/** Opens the view with what a permalink holds; without one, or if the link is damaged, with the first example. */
export async function open(container: HTMLElement, frame: Frame, { address }: Place): Promise<View> {
  await addStyle()
  const { draft, notice } = await chooseDraft(address)
  return new GrammarView(container, frame, draft, { address, notice })
}

export function prepare(): void {
  reserve.fill()
  void Promise.allSettled([addStyle(), import('./rules/railroad.ts')])
}

async function chooseDraft(address: string): Promise<{ draft: Draft; notice: string | undefined }> {
  const [{ grammar, input }] = examples
  const first: Draft = { grammar, input, entry: '', dialect: 'xylem' }
  if (address === '') return { draft: first, notice: undefined }
  try {
    return { draft: await decodeDraft(address), notice: undefined }
  } catch (error) {
    return { draft: first, notice: `${describeDamage(error)} Here is the first example instead.` }
  }
}

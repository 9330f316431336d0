// Edits, and those that are ready-made.

import type { EditedElement, EditedTag } from './edited-tag.ts'

/** An edit of an element whose start tag was read. */
export interface TagEdit {
  /** @internal */
  readonly atTags: (tag: EditedTag) => void | Promise<void>
}

/** An edit of a complete element, which is held in memory; or one at its tags. */
export type Edit = ((element: EditedElement) => void | Promise<void>) | TagEdit

/**
 * An edit at tags: the function is called when the start tag of an element was read, and nothing of its content is held. So elements may be of any size, that
 * of the root too.
 */
export function atTags(edit: (tag: EditedTag) => void | Promise<void>): TagEdit {
  return { atTags: edit }
}

/** Leaves the element out. */
export const remove: TagEdit = atTags((tag) => tag.remove())

/** Leaves the tags of the element out, and keeps its content. */
export const unwrap: TagEdit = atTags((tag) => tag.unwrap())

/** Gives the element another name. */
export function rename(name: string): TagEdit {
  return atTags((tag) => tag.rename(name))
}

// Fields whose elements are read once more: those that no other field names, those that are to stand alone, and objects. Few shapes have them, and only
// they need a parser of elements.

import { LazyModule } from '../../async/lazy-module.ts'
import { generalKernel } from '../language/kernels.ts'
import { isReadAgain, type RecordPlan } from '../question/plan.ts'

/** Whether a record has such fields, or one in it has. */
export function hasRest({ fields }: RecordPlan): boolean {
  return fields.some((field) => isReadAgain(field) || (field.record !== undefined && hasRest(field.record)))
}

/** What makes elements of their text. */
export const parsing = new LazyModule(async () => {
  // Without the kernel it takes longer.
  const kernel = generalKernel.load().catch(() => undefined)
  const modules = [import('../tree/parse-element.ts'), import('../object/object-builder.ts'), kernel] as const
  const [{ parseElement }, { contentOf }] = await Promise.all(modules)
  return { parseElement, contentOf }
})

// What a pass is, and passes that change patterns one by one.

import { type ChoicePattern, mapChildren, type Pattern, type Procedure } from '../pattern/pattern.ts'

/** Changes the bodies of the procedures so that they match and record the same with less work. `tell` says what was done. */
export type Pass = (procedures: readonly Procedure[], tell: (rule: string, text: string) => void) => void

/** A pass that changes each pattern, after those of which it is made. `tell` says what was done. */
export function changeEach(change: (pattern: Pattern, tell: (text: string) => void) => Pattern): Pass {
  return (procedures, tell) => {
    for (const procedure of procedures) {
      const visit = (pattern: Pattern): Pattern => {
        return change(mapChildren(pattern, visit), (text) => tell(procedure.rule, text))
      }
      procedure.body = visit(procedure.body)
    }
  }
}

/**
 * A choice whose options in a row that are alike are joined, where these are at least so many. `asAlike` says what matters of an option: those that
 * are alike record the same type of node, or none.
 */
export function joinRuns<Alike extends { readonly type: string | undefined }>(
  choice: ChoicePattern,
  asAlike: (option: Pattern) => Alike | undefined,
  least: number,
  join: (run: readonly Alike[]) => readonly Pattern[],
): Pattern {
  const options: Pattern[] = []
  let run: Alike[] = []
  const endRun = (): void => {
    if (run.length >= least) options.splice(-run.length, run.length, ...join(run))
    run = []
  }
  for (const option of choice.options) {
    const alike = asAlike(option)
    if (!alike || alike.type !== run[0]?.type) endRun()
    if (alike) run.push(alike)
    options.push(option)
  }
  endRun()
  return options.length === 1 ? (options[0] as Pattern) : { ...choice, options }
}

// What the commands that read dumps by a plan do, loaded as one.

export { commitParts } from './commit.ts'
export { printPlan } from './plan.ts'
export { readPlanned } from './read.ts'

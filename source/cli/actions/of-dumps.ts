// What the commands that read dumps do. They are loaded as one: bundled, that is a few files, where one by one they would share many.

export { runDumpCommand } from '../records/dump-command.ts'
export { printPage } from './get.ts'
export { writeIndexes } from './index.ts'
export { describeDumps } from './info.ts'

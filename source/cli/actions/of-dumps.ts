// What the commands that read dumps do. They are loaded as one: bundled, that is a few files, where one by one they would share many.

export { runDumpCommand } from '../dump-command.ts'
export { printPage } from './get.ts'
export { writeIndex } from './index.ts'
export { printInfo } from './info.ts'

export { DumpReader, readDump } from './dump-reader.ts'
export type { Contributor, Page, Revision } from './page.ts'

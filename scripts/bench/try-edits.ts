import { measureEdits } from './writing/edits.ts'

console.table(await measureEdits(Number(process.argv[2] ?? 3), Number(process.argv[3] ?? 256), process.argv[4]))

// What explains why a document is not well-formed, with the notes of the programs. It is loaded when a document is wrong, and beside a document that is larger than what the machine
// holds: there it says what is open in input that is dropped (open-markup.ts).

import { LazyModule } from '../../async/lazy-module.ts'

export const explanations = new LazyModule(() => import('../explanation/explaining.ts'))

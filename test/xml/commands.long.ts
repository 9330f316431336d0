// Many mutants are compared with other programs.

import { describe, test } from 'vitest'
import { isInstalled } from '../support/xml-commands.ts'
import { COMMANDS, compareWith } from './compare-with-commands.ts'

const SEED = Number(process.env.XYLEM_SEED ?? Math.floor(Math.random() * 2 ** 31))
const MUTANTS = Number(process.env.XYLEM_MUTANTS ?? 200_000)

describe.each(Object.keys(COMMANDS))('%s', (name) => {
  test.skipIf(!isInstalled(name))(`says the same of ${MUTANTS} mutants (seed ${SEED})`, async () => {
    await compareWith(name, MUTANTS, SEED)
  })
})

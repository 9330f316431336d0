// A few mutants are compared with other programs each time; many in commands.long.ts.

import { describe, test } from 'vitest'
import { isThorough } from '../support/extent.ts'
import { isInstalled } from '../support/xml-commands.ts'
import { COMMANDS, compareWith } from './compare-with-commands.ts'

const SEED = Number(process.env.XYLEM_SEED ?? Math.floor(Math.random() * 2 ** 31))
const MUTANTS = isThorough ? 3000 : 100

describe.each(Object.keys(COMMANDS))('%s', (name) => {
  test.skipIf(!isInstalled(name))(
    `says the same of ${MUTANTS} mutants (seed ${SEED})`,
    { timeout: 120_000 },
    async () => {
      await compareWith(name, MUTANTS, SEED)
    },
  )
})

// Small documents of the conformance suite, cut at every byte.

import { test } from 'vitest'
import { compareCuts, suiteDocuments } from '../../support/suite-ranges.ts'

test('documents of the conformance suite in ranges give what one reading gives, cut at every byte', async () => {
  for (const document of suiteDocuments()) await compareCuts(document, { step: 1, few: 40 })
})

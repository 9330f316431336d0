// Runs the W3C XML Conformance Test Suite and prints how it went: npm run conformance

import { count, runTest, type TestResult } from '../test/conformance/run-suite.ts'
import { type Group, readSuite, type Verdict } from '../test/conformance/suite.ts'

const suite = readSuite()
const GROUPS: readonly (readonly [group: Group, reads: boolean])[] = [
  ['XML 1.0', false],
  ['XML 1.0', true],
  ['Namespaces 1.0', false],
]

console.log('group                        accepted    rejected    may be     canonical')
for (const [group, reads] of GROUPS) {
  const tests = suite.filter((test) => test.group === group)
  const results: TestResult[] = []
  for (const test of tests) results.push(await runTest(test, reads))
  const counts = count(results, reads)
  const of = (verdict: Verdict) => tests.filter((test) => test.verdict === verdict).length
  const compared = results.filter(({ test, isSame }) => isSame !== undefined && test.verdict !== 'free').length
  const columns = [
    `${counts.accepted} of ${of('accept')}`,
    `${counts.rejected} of ${of('reject')}`,
    `${counts.mayRejected} of ${of('may')}`,
    `${counts.same} of ${compared}`,
  ]
  const name = reads ? `${group}, external entities` : group
  console.log(`${name.padEnd(28)} ${columns.map((column) => column.padEnd(11)).join(' ')}`)
  for (const line of counts.wrong) console.log(`  ${line}`)
  if (counts.wrong.length > 0) process.exitCode = 1
}
const refused = suite.filter(({ group }) => group === 'XML 1.1' || group === 'Namespaces 1.1').length
console.log(`XML 1.1 is refused: ${refused} tests of it were not run`)

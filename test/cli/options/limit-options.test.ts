import { expect, test } from 'vitest'
import { PARSE_LIMITS, XML_LIMITS } from '../../../source/cli/options/limit-options.ts'
import { readXmlLimits } from '../../../source/xml/options.ts'
import { run } from '../../support/command.ts'

/** The default that a description ends with, as a number. */
function parseDefault(description: string): number {
  const [, text = ''] = /\(default: (.*)\)$/.exec(description) ?? []
  if (text === 'no limit') return Number.POSITIVE_INFINITY
  return text.endsWith(' MiB') ? Number(text.slice(0, -4)) * 1024 * 1024 : Number(text.replaceAll(',', ''))
}

test.each([
  ['XML', XML_LIMITS],
  ['parse', PARSE_LIMITS],
])('the %s limits in help have the defaults of the library', (_, limits) => {
  const defaults = Object.fromEntries(
    Object.entries(limits).map(([name, [, description]]) => [name, parseDefault(description)]),
  )
  expect(readXmlLimits(undefined)).toMatchObject(defaults)
  expect(Object.keys(defaults).length).toBeGreaterThan(4)
})

test.each(['check', 'select', 'parse', 'pages', 'revisions', 'plan', 'get', 'index'])(
  'xylem %s --help has the default of each of its limits',
  async (command) => {
    const { stdout } = await run([command, '--help'])
    const options = stdout.split(/\n {2}(?=-)/)
    const limits = options.filter((option) => /^--(max|free)-/.test(option))
    expect(limits.length).toBeGreaterThan(0)
    for (const limit of limits) expect(limit.replace(/\s+/g, ' ')).toMatch(/\(default: ([\d,]+( MiB)?|no limit)\)/)
  },
)

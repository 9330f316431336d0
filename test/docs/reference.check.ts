// The reference that `npm run docs` makes. The gate makes it too, and fails on every warning; typedoc.config.mjs has the settings.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/markdown.ts'

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, { types?: string }>
}
const modules = Object.entries(exports).flatMap(([path, { types }]) => (types ? [{ path, types }] : []))

test.each(modules)('the module of $path has its published name in the reference', ({ path, types }) => {
  const source = types.replace('./dist/', 'source/').replace('.d.ts', '.ts')
  const [, name] =
    /^(?:\/\/ Generated .*\n\n)?\/\*\*[\s\S]*?@module (\S+)/.exec(readFileSync(join(root, source), 'utf8')) ?? []
  expect(name).toBe(path.replace('.', 'xylem'))
})

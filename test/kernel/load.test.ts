import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadKernel } from '../../source/kernel/load.ts'
import { isThorough } from '../support/extent.ts'

test('a module that cannot be compiled is none, so that the plain twin is used', () => {
  expect(loadKernel(btoa('this is no module'))).toBeUndefined()
})

test.runIf(isThorough)('the embedded kernels are what their sources compile to', () => {
  const script = fileURLToPath(new URL('../../scripts/generate-kernels.mjs', import.meta.url))
  expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow()
})

import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

// npm run test:long: what takes longer than continuous integration may, and everything that test/support/extent.ts takes samples of; one file after the
// other, since some measure memory
export default defineConfig({
  test: {
    ...config.test,
    include: ['test/**/*.{long,test}.ts'],
    exclude: [],
    env: { XYLEM_TESTS: 'long' },
    isolate: true,
    maxWorkers: 1,
    testTimeout: 30 * 60_000,
  },
})

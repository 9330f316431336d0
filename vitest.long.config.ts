import { defineConfig } from 'vitest/config'
import config from './vitest.all.config.ts'

// npm run test:long: what takes longer than continuous integration may, one file after the other, since some measure memory
export default defineConfig({
  test: {
    ...config.test,
    include: ['test/**/*.long.ts'],
    isolate: true,
    maxWorkers: 1,
    testTimeout: 30 * 60_000,
  },
})

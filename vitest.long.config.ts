import { defineConfig } from 'vitest/config'
import config from './vitest.all.config.ts'

// npm run test:long: what takes longer than continuous integration may
export default defineConfig({
  test: { ...config.test, include: ['test/**/*.long.ts'], testTimeout: 30 * 60_000 },
})

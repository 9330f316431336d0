import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

// npm run test:all: the same tests, those in Chromium, those that test/support/extent.ts leaves out of npm test, and more of what it takes samples of
export default defineConfig({
  test: { ...config.test, exclude: [], env: { XYLEM_TESTS: 'all' } },
})

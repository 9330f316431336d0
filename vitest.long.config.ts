import { defineConfig } from 'vitest/config'

// What takes longer than continuous integration may: npm run test:long
export default defineConfig({
  test: { include: ['test/**/*.long.ts'], pool: 'forks', execArgv: ['--expose-gc'], testTimeout: 30 * 60_000 },
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/**/*.test.ts'], pool: 'forks', execArgv: ['--expose-gc'], testTimeout: 60_000 },
})

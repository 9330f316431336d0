import { defineConfig } from 'vitest/config'

// npm test: what the specification says, with samples of what is tried in great number
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // What needs Chromium and the built page is a kind of its own: npm run test:all has it.
    exclude: ['test/browser/**', 'test/playground/*.test.ts'],
    pool: 'forks',
    // Files share two processes: to load the modules anew for each takes longer than most tests.
    isolate: false,
    // What is built is run as it is.
    server: { deps: { external: [/\/dist\//] } },
    // By default one core is left idle, which is half of two.
    maxWorkers: '100%',
    // Many tests leave cursors behind; what is warned of then is tested in test/stream/freeing.test.ts.
    execArgv: ['--expose-gc', '--disable-warning=XylemWarning'],
    // Quiet: without it, every test of more than 300 ms has a line of its own.
    slowTestThreshold: 20_000,
    // What hangs is ended; a machine that is slow or busy is no error.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Chromium itself ends a page now and then, once in some hundred visits. A page that makes it do so is seen: the second attempt fails as well.
    retry: { count: 1, condition: /Target crashed/ },
  },
})

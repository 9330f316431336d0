// The start of the command line that is one file (scripts/build/one-file.mjs). Its workers load the same file: a global variable says that this thread is
// one of them.

if ('xylemWorker' in globalThis) await import('./read/range-worker.ts')
else await import('./start.ts')

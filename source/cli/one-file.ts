// The start of the command line that is one file (scripts/build/one-file.mjs). Its workers load the same file: a global variable says which of them this
// thread is.

const { xylemWorker: worker } = globalThis as { xylemWorker?: string }

if (worker === 'batches') await import('./xml/batches-worker.ts')
else if (worker === 'lines') await import('./records/lines-worker.ts')
else if (worker === 'range') await import('./plan/range-worker.ts')
else await import('./start.ts')

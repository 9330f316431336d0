// Compiles source/ to dist/, from scratch: a file that was renamed leaves nothing behind.
import { execFileSync } from 'node:child_process'
import { chmod, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'

const root = new URL('..', import.meta.url)
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')

await rm(new URL('dist', root), { recursive: true, force: true })
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
await chmod(new URL('dist/cli/main.js', root), 0o755)

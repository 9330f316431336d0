#!/usr/bin/env node
// The start of the command line. Node's cache of compiled code is asked for before the rest is loaded, which it is of use to only then.

import * as module from 'node:module'

// From Node 22.1 on. Where the cache lies, and that there may be none, is Node's to say: NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE.
const { enableCompileCache } = module as { enableCompileCache?: () => unknown }
enableCompileCache?.()
const { main } = await import('./main.ts')
await main()

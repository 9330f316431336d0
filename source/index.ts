// Everything that runs in browsers as well as in Node.

export * from './compression/index.ts'
export * from './grammar/index.ts'
export * from './mediawiki/index.ts'
export * from './stream/index.ts'
export * from './text/index.ts'
export * from './xml/index.ts'

// Which runtime runs the tests. Some of them look at what only V8 or only Node does.

/** Errors name no functions that wait, memory is freed later, and streams of Node are made anew. */
export const isBun = 'Bun' in globalThis
/** Files of streams of Node are closed later, and named pipes are opened in another way. */
export const isDeno = 'Deno' in globalThis

// What `scripts/build-playground.mjs` makes of files that are not TypeScript.

declare module '*.css' {
  const text: string
  export default text
}

/** A file beside the page, or in it: its address, relative to `import.meta.url`. */
declare module 'file:*' {
  const address: string
  export default address
}

/** The text of a file. */
declare module 'text:*' {
  const text: string
  export default text
}

/** A module that runs as a worker: a function that starts it. */
declare module 'worker:*' {
  export function startWorker(): Worker
}

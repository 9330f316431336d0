// What `scripts/build-playground.mjs` makes of files that are not TypeScript.

/** Whether all of the page is one file. */
declare const IS_ONE_FILE: boolean

/** The file of the threads that decompress bzip2; undefined in the page that is one file, where the library has their text. */
declare const BLOCK_WORKER: string | undefined

/** A style sheet: a file beside the page, or in it. */
declare module 'style:*' {
  /** Adds it to the page, once. Rejects if it cannot be loaded; then it may be tried again. */
  export function addStyle(): Promise<void>
}

/** A file beside the page, or in it. */
declare module 'file:*' {
  /** Loads it, once. Rejects if it cannot be loaded; then it may be tried again. */
  export function load(): Promise<Blob>
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

/** The documentation. */
declare module 'docs:all' {
  export interface DocsPage {
    /** In the address; empty for the contents. */
    readonly name: string
    readonly title: string
    readonly html: string
  }
  /** Loads it, once. Rejects if it cannot be loaded; then it may be tried again. */
  export function load(): Promise<readonly DocsPage[]>
}

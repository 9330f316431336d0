// How much is read before a kernel is loaded: small documents, and the first results of large ones, need none.

/** Bytes of all documents together. */
const MOST = 16 * 1024

let used = 0

/** Bytes that may still be read without a kernel. */
export function readableWithoutKernel(): number {
  return MOST - used
}

/** Says that so many bytes were read without a kernel. */
export function countWithoutKernel(bytes: number): void {
  used += bytes
}

// What is wrong with compressed data, before it is known where.

/** The data of a block or frame is corrupt. */
export class ZstdError extends Error {}

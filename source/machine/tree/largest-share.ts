/** Bytes of input and of tape that parts of a tree may share: one that is kept retains so many bytes more than its own, at the most. */
export const LARGEST_SHARE = 16 * 1024

// What kernel-files.mjs needs of the sources.

export { decodeBytes } from '../../source/kernel/embedded-bytes.ts'
export { kernels } from '../../source/xml/language/kernels.ts'
export { identify, SECTION } from '../../source/xml/language/load-kernel.ts'

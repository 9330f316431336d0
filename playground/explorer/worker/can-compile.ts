// Whether the browser compiles WebAssembly, which the library reads fast with. A policy may forbid it, and old browsers do not have its SIMD instructions.

/** A module with one function, which sets a vector. */
const MODULE = [
  [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  // The type () -> v128, and a function of it.
  [0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b],
  [0x03, 0x02, 0x01, 0x00],
  // i32.const 0; i8x16.splat; i8x16.popcnt
  [0x0a, 0x0a, 0x01, 0x08, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0xfd, 0x62, 0x0b],
].flat()

/** Tries it: where a policy forbids it, everything that one can ask for is there. */
export function canCompile(): boolean {
  try {
    return new WebAssembly.Module(new Uint8Array(MODULE)) instanceof WebAssembly.Module
  } catch {
    return false
  }
}

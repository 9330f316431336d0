// The part of seek-bzip that is used; the package has no typings.
declare module 'seek-bzip' {
  interface ByteInput {
    readByte(): number
    read(buffer: Uint8Array, offset: number, length: number): number
    seek(position: number): void
  }
  interface ByteOutput {
    writeByte(byte: number): void
  }
  const Bunzip: {
    /** Decodes the block that begins at bit `position` of the input; the input's first four bytes are the stream header. */
    decodeBlock(input: ByteInput, position: number, output: ByteOutput): void
  }
  export default Bunzip
}

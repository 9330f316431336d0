// The first bytes of a file.

import { open } from 'node:fs/promises'

/** The first `length` bytes of a file, or fewer where it is shorter. */
export async function readHead(file: string, length: number): Promise<Uint8Array> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

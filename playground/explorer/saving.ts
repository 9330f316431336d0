// Saving a file as it is made: on the disk where the browser can do that, otherwise in the browser's memory, and then as a download.

/** A file that is being written. */
export interface Saving {
  write(bytes: Uint8Array): Promise<void>
  /** The file is complete. */
  close(): Promise<void>
  /** Nothing of it is kept. */
  abort(): Promise<void>
}

/** What Chromium has, and others do not. */
interface PicksFiles {
  showSaveFilePicker?(options: { readonly suggestedName: string }): Promise<{
    createWritable(): Promise<{
      write(bytes: Uint8Array): Promise<void>
      close(): Promise<void>
      abort(): Promise<void>
    }>
  }>
}

/** Pieces after which a Blob is made of them, which browsers move to the disk when it becomes large. */
const PIECES = 64

/** Begins to save a file. Undefined if the visitor chose none. */
export async function openSaving(name: string): Promise<Saving | undefined> {
  const { showSaveFilePicker } = window as PicksFiles
  if (!showSaveFilePicker) return saveInMemory(name)
  try {
    const file = await showSaveFilePicker.call(window, { suggestedName: name })
    return await file.createWritable()
  } catch (error) {
    if ((error as Error).name === 'AbortError') return undefined
    // Frames and some policies forbid it.
    if ((error as Error).name === 'SecurityError') return saveInMemory(name)
    throw error
  }
}

function saveInMemory(name: string): Saving {
  let blob = new Blob()
  let pieces: Uint8Array<ArrayBuffer>[] = []
  const join = () => {
    blob = new Blob([blob, ...pieces])
    pieces = []
  }
  return {
    async write(bytes) {
      pieces.push(bytes as Uint8Array<ArrayBuffer>)
      if (pieces.length === PIECES) join()
    },
    async close() {
      join()
      const address = URL.createObjectURL(blob)
      const link = document.createElement('a')
      link.href = address
      link.download = name
      link.click()
      // The browser begins to save it after this turn.
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    },
    async abort() {
      blob = new Blob()
      pieces = []
    },
  }
}

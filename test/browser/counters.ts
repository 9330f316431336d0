// What runs on a page before its scripts, and counts what they do.

/** Counts messages to workers and from them. */
export function countPosts(): void {
  const scope = globalThis as unknown as { Worker: typeof Worker; posted: number; counts: { received: number } }
  scope.posted = 0
  scope.counts = { received: 0 }
  if (!scope.Worker) return
  scope.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options)
      this.addEventListener('message', () => scope.counts.received++)
    }
    override postMessage(message: unknown, transfer: unknown): void {
      scope.posted++
      super.postMessage(message, transfer as Transferable[])
    }
  }
}

/** Counts large kernels that are compiled: while they arrive, and of bytes. */
export function countCompiled(): void {
  const scope = globalThis as unknown as { compiled: { streams: number; bytes: number } }
  scope.compiled = { streams: 0, bytes: 0 }
  const { Module, compileStreaming } = WebAssembly
  WebAssembly.compileStreaming = (source) => {
    scope.compiled.streams++
    return compileStreaming(source)
  }
  WebAssembly.Module = class extends Module {
    static override customSections = Module.customSections
    constructor(bytes: BufferSource) {
      super(bytes)
      if (bytes.byteLength > 35_000) scope.compiled.bytes++
    }
  }
}

/** Counts Blob URLs that were made, and those that are not revoked. */
export function countUrls(): void {
  const scope = globalThis as unknown as { urls: { made: number; open: number } }
  scope.urls = { made: 0, open: 0 }
  const { createObjectURL, revokeObjectURL } = URL
  URL.createObjectURL = (blob) => {
    scope.urls.made++
    scope.urls.open++
    return createObjectURL.call(URL, blob)
  }
  URL.revokeObjectURL = (url) => {
    scope.urls.open--
    revokeObjectURL.call(URL, url)
  }
}

// What the modules do that the build makes of files: they load a file beside the page, or have what it holds.

/** Makes something once, and again after that was rejected. */
export function keep<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

/** Loads a file beside the page. */
export async function fetchFile(address: URL): Promise<Response> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`the server answers ${response.status}`)
  return response
}

/** Bytes that the page has as base64. */
export function decodeBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** What bytes hold that were compressed by deflate. */
export function inflate(bytes: Uint8Array<ArrayBuffer>): Response {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')))
}

/** Adds a style sheet that stands in a file. Rejects if it cannot be loaded. */
export function linkStyle(address: URL): Promise<void> {
  const link = document.createElement('link')
  return new Promise((resolve, reject) => {
    link.rel = 'stylesheet'
    link.href = address.href
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error('a style sheet could not be loaded'))
    }
    document.head.append(link)
  })
}

/** Adds a style sheet that is in the page. */
export async function adoptStyle(css: string): Promise<void> {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}

/** Makes the address of a script that is in the page. */
export function addressOf(script: string): string {
  return URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
}

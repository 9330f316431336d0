// Dumps of any number of pages.

/** Yields a dump in pieces of about `pieceSize` bytes: pages `Page 1`, `Page 2`, … every tenth a redirect, every seventh a talk page. */
export function* makeDump(pages: number, textLength = 0, pieceSize = 256 * 1024): Generator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  let piece = `<mediawiki version="0.11" xml:lang="en">
  <siteinfo><sitename>Many pages</sitename><namespaces><namespace key="0" /><namespace key="1">Talk</namespace></namespaces></siteinfo>\n`
  const text = 'sap rises in the wood. '.repeat(Math.ceil(textLength / 23)).slice(0, textLength)
  for (let id = 1; id <= pages; id++) {
    const isTalk = id % 7 === 0
    const redirect = id % 10 === 0 ? '<redirect title="Page 1" />' : ''
    piece += `<page><title>${isTalk ? 'Talk:' : ''}Page ${id}</title><ns>${isTalk ? 1 : 0}</ns><id>${id}</id>${redirect}<revision><id>${id + 1000}</id><text bytes="${textLength}">${text}</text></revision></page>\n`
    if (piece.length < pieceSize) continue
    yield encoder.encode(piece)
    piece = ''
  }
  yield encoder.encode(`${piece}</mediawiki>\n`)
}

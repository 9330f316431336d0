// What documents give, as text: its events, or its error. The same in browsers and in Node.

async function describeDocument(readXml, bytes) {
  const events = []
  try {
    for await (const batch of readXml(bytes).events().batches())
      for (const event of batch) events.push(JSON.stringify(event))
    return events.join('\n')
  } catch ({ name, code, message, byteOffset, line, column }) {
    return ['error', name, code, message, byteOffset, line, column, events.length].join(' ')
  }
}

/** `readXml` is that of the library under test. In `texts` each character is a byte. */
export async function describeDocuments(readXml, texts) {
  const all = []
  for (const text of texts)
    all.push(
      await describeDocument(
        readXml,
        Uint8Array.from(text, (byte) => byte.charCodeAt(0)),
      ),
    )
  return all
}

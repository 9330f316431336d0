// One array of JSON (RFC 8259) with an object for each record, a record a line.

import { LineBytes } from '../line-bytes.ts'
import type { FormatWriter } from './format.ts'
import { JSON_OBJECT } from './jsonl.ts'
import { type LineBatch, lineFormat } from './lines.ts'

const LINE_FEED = 0x0a
const encoder = new TextEncoder()

/** Joins lines, which may come in pieces: a line feed is the end of a line, since there is none in an object. */
function openArray(): FormatWriter<LineBatch> {
  const output = new LineBytes()
  let isBetween = false
  return {
    begin: () => encoder.encode('['),
    write: ({ bytes }) => {
      for (let from = 0; from < bytes.length; ) {
        const end = bytes.indexOf(LINE_FEED, from)
        if (isBetween) output.putText(',\n')
        output.put(bytes, from, end === -1 ? bytes.length : end)
        isBetween = end !== -1
        from = isBetween ? end + 1 : bytes.length
      }
      return output.take()
    },
    end: () => encoder.encode(']\n'),
  }
}

export const format = lineFormat(JSON_OBJECT, openArray)

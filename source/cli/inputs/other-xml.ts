// XML that is given to a command for dumps, and is none.

import { decompress } from '../../compression/decompress.ts'
import { readXml } from '../../xml/reader.ts'
import { quoteWord } from '../terminal/quote-word.ts'
import { findInput } from './inputs.ts'

/** Bytes that are searched for elements that repeat. */
const SEARCHED = 256 * 1024

/** Which command reads an input that is XML but no dump. */
export async function describeOtherXml(input: string, signal: AbortSignal): Promise<string> {
  const name = await findRepeated(input, signal).catch(() => undefined)
  const file = input === 'standard input' ? '-' : quoteWord(input)
  return `(to read other XML: xylem select ${name === undefined ? 'PATH' : quoteWord(name)} ${file})`
}

/** The name of the outermost elements that come more than once in their parent. Undefined where there are none, or the input is no file. */
async function findRepeated(input: string, signal: AbortSignal): Promise<string | undefined> {
  const found = await findInput(input)
  if (found.path === undefined) return undefined
  let repeated: { name: string; depth: number } | undefined
  /** The names of the children so far, of each open element. */
  const open: Set<string>[] = []
  for await (const events of readXml(decompress(found.open(signal)), { signal })
    .events({ maxText: SEARCHED })
    .batches()) {
    for (const event of events) {
      if (event.start > SEARCHED) return repeated?.name
      if (event.type === 'end') open.pop()
      if (event.type !== 'start') continue
      const siblings = open.at(-1)
      if (siblings?.has(event.name) && open.length < (repeated?.depth ?? Number.POSITIVE_INFINITY))
        repeated = { name: event.name, depth: open.length }
      siblings?.add(event.name)
      open.push(new Set())
    }
  }
  return repeated?.name
}

// XML that is given to a command for dumps, and is none.

import { decompress } from '../../compression/decompress.ts'
import { inferShape } from '../../xml/infer/infer-shape.ts'
import { quotePath, quoteWord } from '../terminal/word-list.ts'
import { findInput, type Input, pathOfRegular } from './inputs.ts'

/** Bytes that are searched for elements that repeat. */
const SEARCHED = 256 * 1024

/** Which command reads an input that is XML but no dump, or plans to; `command` is the one that was used. */
export async function describeOtherXml(input: string, command: string, signal: AbortSignal): Promise<string> {
  const name = await findRepeated(input, signal).catch(() => undefined)
  const path = name === undefined ? 'PATH' : quoteWord(name)
  const file = input === 'standard input' ? '-' : quotePath(input)
  return command === 'plan'
    ? `(to plan other XML: xylem plan --each ${path} --field NAME ${file}; to read it: xylem select ${path} ${file})`
    : `(to read other XML: xylem select ${path} ${file})`
}

/** What to add to a message that no page was found: with what to read a dump of log items. Only regular files are looked at. */
export async function adviseOnLogs([input]: readonly Input[], signal: AbortSignal): Promise<string> {
  if (!input || pathOfRegular(input) === undefined) return ''
  let text = ''
  for await (const chunk of decompress(input.open(signal))) {
    text += Buffer.from(chunk).toString('latin1')
    if (text.length > SEARCHED) break
  }
  const isOfLogs = /<logitem[\s>]/.test(text) && !/<page[\s>]/.test(text)
  return isOfLogs ? `; this is a dump of log items: xylem select logitem ${quotePath(input.name)}` : ''
}

/** The name of the elements that records could be made of. Undefined where nothing repeats, or the input is not a regular file. */
async function findRepeated(input: string, signal: AbortSignal): Promise<string | undefined> {
  const found = await findInput(input)
  if (pathOfRegular(found) === undefined) return undefined
  const inferred = await inferShape(decompress(found.open(signal)), { bytes: SEARCHED, signal })
  return inferred?.isWhole ? undefined : inferred?.paths[0]?.split('/').at(-1)
}

// Shapes of records in files: JSON, in which `//` begins a comment.

import { ParseError } from '../../text/parse-error.ts'
import type { PathNames } from '../../xml/question/path-names.ts'
import { planShape } from '../../xml/question/plan.ts'
import type { XmlShape } from '../../xml/question/shape.ts'
import { UsageError } from '../errors/errors.ts'
import { type Explanation, explain } from '../errors/explain.ts'
import { orUsage } from '../errors/or-usage.ts'
import { loadGrammar } from './grammar-file.ts'
import { readSmallText } from './read-inputs.ts'

/** Texts of JSON, in which nothing is a comment, and comments. */
const TEXT_OR_COMMENT = /"(?:[^"\\\n]|\\.)*"|(\/\/[^\r\n]*)/g

/** Reads a shape. What is wrong with it is a `UsageError`, which names the file, and the place in it or the field. */
export async function loadShape(path: string, names: PathNames, signal: AbortSignal): Promise<XmlShape> {
  const { name, text: written } = await readSmallText(path, signal)
  // What stands in place of a comment has as many bytes, for the places of errors.
  const text = written.replace(TEXT_OR_COMMENT, (all, comment) => (comment ? ' '.repeat(Buffer.byteLength(all)) : all))
  const shape = await parseJson(text, name, signal)
  const { fields } = orUsage(() => planShape(shape as XmlShape, names), name)
  if (fields.length === 0) throw new UsageError(`${name}: the shape has no fields`)
  requireOnce(text, name)
  return shape as XmlShape
}

/** Throws a `UsageError` for a name that an object of valid JSON has twice: of its values, JavaScript keeps the last. */
function requireOnce(text: string, file: string): void {
  const open: Set<string>[] = []
  for (const [token, key] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    if (key === undefined) continue
    const name: string = JSON.parse(key)
    if (open.at(-1)?.has(name)) throw new UsageError(`${file}: the name ${name} is twice in an object`)
    open.at(-1)?.add(name)
  }
}

/** The value of a text. Where it is not valid, the grammar of JSON says why, since Node says the place of some errors alone. */
async function parseJson(text: string, name: string, signal: AbortSignal): Promise<unknown> {
  try {
    return JSON.parse(text)
  } catch (error) {
    const grammar = await loadGrammar('@json', { dialect: 'xylem' }, signal)
    try {
      await grammar.check([text], { signal })
    } catch (fault) {
      if (!(fault instanceof ParseError)) throw fault
      const { message, details } = explain(fault) as Explanation
      throw new UsageError(`${name}: ${message}`, details)
    }
    throw new UsageError(`${name}: ${(error as Error).message}`)
  }
}

// A parser of JSON as one writes it by hand in an hour, to compare grammars with: by recursive descent over a string.

const BLANK = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const STRING = /"(?:[^"\\\n]|\\.)*"/y
const WORDS: Readonly<Record<string, unknown>> = { t: true, f: false, n: null }

/** The value of a text of JSON. Throws a `SyntaxError` if it is none. */
export function parseJson(text: string): unknown {
  let at = 0

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }

  function expect(token: string): void {
    if (!text.startsWith(token, at)) throw new SyntaxError(`expected ${token} at ${at}`)
    at += token.length
  }

  function eat(token: string): boolean {
    if (text[at] !== token) return false
    at++
    match(BLANK)
    return true
  }

  function readString(): string {
    const found = match(STRING)
    if (found === undefined) throw new SyntaxError(`expected a string at ${at}`)
    return found.includes('\\') ? (JSON.parse(found) as string) : found.slice(1, -1)
  }

  function readList(end: string, readItem: () => void): void {
    at++
    match(BLANK)
    if (eat(end)) return
    do readItem()
    while (eat(','))
    if (!eat(end)) throw new SyntaxError(`expected ${end} at ${at}`)
  }

  function readValue(): unknown {
    const first = text[at] as string
    if (first === '{') {
      const object: Record<string, unknown> = {}
      readList('}', () => {
        const key = readString()
        match(BLANK)
        expect(':')
        match(BLANK)
        object[key] = readValue()
      })
      return object
    }
    if (first === '[') {
      const array: unknown[] = []
      readList(']', () => array.push(readValue()))
      return array
    }
    const value = readScalar(first)
    match(BLANK)
    return value
  }

  function readScalar(first: string): unknown {
    if (first === '"') return readString()
    if (first in WORDS) {
      const value = WORDS[first]
      expect(String(value))
      return value
    }
    const number = match(NUMBER)
    if (number === undefined) throw new SyntaxError(`expected a value at ${at}`)
    return Number(number)
  }

  match(BLANK)
  const value = readValue()
  if (at < text.length) throw new SyntaxError(`expected the end at ${at}`)
  return value
}

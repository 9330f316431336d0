// Wrong use of the library is wrong use of a command.

import { UsageError } from './errors.ts'

/** What messages of the library say of its options and functions, and what commands call these. */
const WORDS: readonly (readonly [string | RegExp, string])[] = [
  ['is not in prefixes', 'is not given with --prefix'],
  [/(?<=^the field .*)use an array for several paths/su, 'firstOf in a --shape takes the first value of several paths'],
  [
    'use an array for several paths',
    'in select, use --path for each of several paths; in other commands, repeat the option',
  ],
  ['there are no functions but not(): [not(@id)]', '$&; xylem select --where compares values of fields'],
  ['onError: after', '--on-error: after'],
  ["with the option convert: 'utf-8'", 'with --encoding utf-8'],
  ['with the option encoding', 'with --encoding'],
  ['use [@id], [@id="7"], [title] or [not(@id)]', '$&; xylem select --where compares values of fields'],
  ['an attribute of it is a field', 'for an attribute of it, use --field id=@id'],
  ['the text of an element is the field "."', 'for the text of an element, use --field text=.'],
  ['all values of a path are an array field', 'for all values, write [] after the name of the field: tags[]=tag'],
  ['a field has the first value, or all in an array', 'a field has the first value; --limit 1 prints the first record'],
  ['a document has one root element', '$& (xylem select --documents reads several documents)'],
  ['an XML declaration is allowed only at the very start', '$& (xylem select --documents reads several documents)'],
  [
    /(?<=^expected a finite decimal number that is exact if it is an integer for (\S+), but found "-?\d+(?:\.0*)?")/su,
    ' (--as $1=int64 reads a number of 64 bits exactly, and --as $1=string keeps its text)',
  ],
  [/(?<=^the entity )\S+ is not declared/u, '$& (xylem select --entities html knows those of HTML)'],
]

/** A name of an option as users write it: `csv-safe` for `csvSafe`. */
export function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** A message of the library in the words of the command line. */
export function inCommandWords(message: string): string {
  return WORDS.reduce((text, [from, to]) => text.replace(from, to), message)
}

/** What a function gives. Throws a `UsageError` for its errors about options; `file` is the file that they are about. */
export function orUsage<Result>(run: () => Result, file?: string): Result {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error
    const message = inCommandWords(error.message)
    throw new UsageError(file === undefined ? message : `${file}: ${message}`)
  }
}

// What a declaration says may be in an element (section 3.2). Each function is named after its production, whose number stands beside it.
// Nothing is kept of it: that is for processors that validate.

import { shorten } from '../../errors/unplaced-error.ts'
import type { DoctypeScanner, Steps } from './doctype-scanner.ts'
import type { DoctypeTokens } from './doctype-tokens.ts'

/** [46] contentspec */
export function* readContentSpecification(tokens: DoctypeTokens, element: string): Steps<void> {
  const { scanner } = tokens
  if (scanner.match(/(?:EMPTY|ANY)(?![^\s>%])/y) !== undefined) return
  scanner.expect('(', `or EMPTY or ANY for the content of ${shorten(element)}`)
  yield* scanner.skipSpace()
  if (scanner.startsWith('#')) yield* readMixed(tokens)
  else yield* readChildren(tokens)
}

/** [51] Mixed, after its "(". */
function* readMixed(tokens: DoctypeTokens): Steps<void> {
  const { scanner } = tokens
  scanner.expect('#PCDATA', 'in mixed content')
  let hasNames = false
  yield* scanner.skipSpace()
  while (scanner.startsWith('|')) {
    scanner.expect('|', '')
    yield* scanner.skipSpace()
    tokens.qualifiedName('of an element')
    hasNames = true
    yield* scanner.skipSpace()
  }
  scanner.expect(')', 'or "|" in mixed content')
  if (hasNames) scanner.expect('*', 'after mixed content with elements')
  else scanner.match(/\*/y)
}

/** [47] children, [48] cp, [49] choice and [50] seq, after the first "(". Without recursion: they may be nested to any depth. */
function* readChildren(tokens: DoctypeTokens): Steps<void> {
  const { scanner } = tokens
  // What separates the particles of each open group; undefined before the first separator.
  const groups: (string | undefined)[] = [undefined]
  for (;;) {
    yield* scanner.skipSpace()
    if (scanner.startsWith('(')) {
      scanner.expect('(', '')
      groups.push(undefined)
      continue
    }
    tokens.qualifiedName('of an element')
    scanner.match(/[?*+]/y)
    yield* scanner.skipSpace()
    while (scanner.startsWith(')')) {
      scanner.expect(')', '')
      scanner.match(/[?*+]/y)
      groups.pop()
      if (groups.length === 0) return
      yield* scanner.skipSpace()
    }
    groups[groups.length - 1] = readSeparator(scanner, groups[groups.length - 1])
  }
}

function readSeparator(scanner: DoctypeScanner, before: string | undefined): string {
  const { position } = scanner
  const separator = scanner.match(/[|,]/y)
  if (separator === undefined) throw scanner.fault('expected "|", "," or ")" in a content model')
  if (before === undefined || before === separator) return separator
  const message = `expected "${before}" as before in this group, not "${separator}"`
  throw scanner.fault(message, undefined, undefined, position)
}

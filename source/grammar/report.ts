// What became of a grammar, for people.

import { disassemble } from '../machine/program/disassembler.ts'
import type { RewindPoint } from './assembly/assemble.ts'
import type { Grammar } from './grammar.ts'

/** What a report is about. */
export interface ReportOptions {
  readonly entry: string
  /** The rules whose nodes are delivered. */
  readonly parts: readonly string[]
  readonly showsProgram: boolean
}

/** Text on several lines: what the passes did, what is decided by looking ahead, where the machine may go back, and the program. */
export function explainGrammar(grammar: Grammar, { entry, parts, showsProgram }: ReportOptions): string {
  const { program, notes, rewindPoints, decided } = grammar.compile({ entry, parts: new Set(parts) })
  const counts = new Map<string, number>()
  for (const { pass, rule, text } of notes) {
    const line = `${pass.padEnd(8)} ${rule}: ${text}`
    counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  const done = [...counts].map(([line, count]) => (count === 1 ? line : `${line} (${count} times)`))
  const lines = [
    `${grammar.rules.length} rules, entry ${entry}, for the nodes of ${parts.join(', ')}`,
    '',
    'Optimisations:',
    ...(done.length > 0 ? done : ['nothing']).map((line) => `  ${line}`),
    '',
    `Choices and repetitions decided by the next bytes: ${decided}`,
    `Places where the machine can have to go back: ${rewindPoints.length}`,
    ...rewindPoints.map((point) => `  ${describePoint(point, grammar)}`),
    '',
    `Program: ${program.code.length} words of code, ${program.data.length} bytes of data`,
    ...(showsProgram ? ['', disassemble(program).trimEnd()] : []),
  ]
  return `${lines.join('\n')}\n`
}

function describePoint({ rule, at, mode }: RewindPoint, { rules, source }: Grammar): string {
  const written = at && rules.find((other) => other.at.start <= at.start && at.end <= other.at.end)
  const place = at && source.locate(at)
  const where = place ? `line ${place.line}, column ${place.column}` : 'made by the compiler'
  const held = mode === 'seek' ? ': parts that end in it wait for its end' : ''
  return `in ${written?.name ?? rule}, ${where}${held}`
}

// The engine of this project.

import { readFileSync } from 'node:fs'
import { Grammar, type SyntaxNode } from '../../../source/grammar/index.ts'
import type { Digest } from './digest.ts'
import type { Engine, Language } from './engine.ts'

const FIXTURES = new URL('../../../fixtures/grammar/', import.meta.url)

/** The grammar of a language, among the fixtures. */
export function readGrammar(language: Language): string {
  return readFileSync(new URL(`${language}/${language}.bnf`, FIXTURES), 'utf8')
}

export const xylem: Engine = {
  compile(language) {
    const grammar = Grammar.from(readGrammar(language))
    return {
      recognize: ({ bytes }) => grammar.test(bytes),
      readTree: ({ bytes }, digest) => feedNode(grammar.parse(bytes), digest),
    }
  },
}

/** Gives every literal below a node to the digest. */
export function feedNode(node: SyntaxNode, digest: Digest): void {
  const { value } = node
  if (typeof value === 'string') digest.add(value)
  else for (const child of value) feedNode(child, digest)
}

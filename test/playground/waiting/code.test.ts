import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { code } from '../../../playground/waiting/code.ts'

/** Without indentation, and without what the page leaves out. */
function normalize(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim().replaceAll(' as number', ''))
    .filter((line) => line !== '' && !line.startsWith('count.awaited'))
    .join('\n')
}

const sources = ['readings', 'byte-reader'].map((name) =>
  normalize(readFileSync(new URL(`../../../playground/waiting/${name}.ts`, import.meta.url), 'utf8')),
)

test.each(Object.entries(code))('the lines that are shown of %s are those that run', (_, parts) => {
  for (const part of parts)
    expect(
      sources.some((source) => source.includes(normalize(part))),
      part,
    ).toBe(true)
})

// Plain English: no message, no help text and no title of a test has one of the words that readers stumbled over.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { run } from './support/command.ts'
import { isStiff, STIFF } from './support/plain-english.ts'

const source = fileURLToPath(new URL('../source', import.meta.url))

const tests = fileURLToPath(new URL('.', import.meta.url))

/** The table of instructions, whose sentences are comments. */
const NOT_FOR_USERS = new Set(['machine/program/instruction-table.ts'])

const ANY_STIFF = new RegExp(STIFF.map(([stiff]) => stiff.source).join('|'), 'i')

function findStiff(text: string): string[] {
  if (!ANY_STIFF.test(text)) return []
  return STIFF.flatMap(([stiff, plain]) => (isStiff(text, stiff) ? [`${JSON.stringify(text)}: write ${plain}`] : []))
}

/** Neither parents nor comments are of use here, and to parse them takes long. */
const PARSING = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone }

function visitNodes(path: string, visit: (node: ts.Node, file: ts.SourceFile) => void): void {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), PARSING)
  const visitAll = (node: ts.Node): void => {
    visit(node, file)
    ts.forEachChild(node, visitAll)
  }
  visitAll(file)
}

/** The texts of a file: strings, and the pieces of templates. */
function readTexts(file: string): string[] {
  const texts: string[] = []
  visitNodes(join(source, file), (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      texts.push(node.text)
  })
  return texts.filter((text) => text.includes(' '))
}

/** The titles of the tests in a file: the first arguments of `test`, `test.each(…)` and so on. */
function readTitles(file: string): string[] {
  const titles: string[] = []
  visitNodes(join(tests, file), (node, source) => {
    if (!ts.isCallExpression(node)) return
    const [title] = node.arguments
    if (!title || !ts.isStringLiteralLike(title)) return
    if (/^(test|describe)\b/.test(node.expression.getText(source))) titles.push(title.text)
  })
  return titles
}

/** The TypeScript files below a folder. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.includes('generated/'))
}

const files = listFiles(source).filter((file) => !NOT_FOR_USERS.has(file))

describe('messages', () => {
  test('have none of the words that are hard to read', () => {
    const texts = files.flatMap((file) => readTexts(file).map((text) => ({ file, text })))
    expect(texts.flatMap(({ file, text }) => findStiff(text).map((word) => `${file}: ${word}`))).toEqual([])
    expect(texts.length).toBeGreaterThan(500)
  })

  test.each(['"a" is no path', '3 faults', 'what is told', 'in place of it', 'behind "<"'])(
    '%j would be found',
    (text) => {
      expect(findStiff(text)).toHaveLength(1)
    },
  )
})

describe('the help', () => {
  test('of every command has none of them', async () => {
    const { stdout: help } = await run(['--help'])
    const [, list = ''] = help.split('\nCommands:\n')
    const commands = [...list.matchAll(/^ {2}([a-z]+)/gm)]
      .map(([, name]) => name as string)
      .filter((name) => name !== 'help')
    expect(commands).toContain('pages')
    const pages = await Promise.all(commands.map(async (name) => (await run([name, '--help'])).stdout))
    expect([help, ...pages].flatMap((text) => text.split('\n')).flatMap(findStiff)).toEqual([])
  })
})

describe('the titles of tests', () => {
  test('have none of them', () => {
    const titles = listFiles(tests).flatMap((file) => readTitles(file).map((title) => ({ file, title })))
    expect(titles.flatMap(({ file, title }) => findStiff(title).map((word) => `${file}: ${word}`))).toEqual([])
    expect(titles.length).toBeGreaterThan(1000)
  })
})

// The compiler of TypeScript on files in memory, with the strictest settings.

import { join } from 'node:path'
import ts from 'typescript'
import { root } from './markdown.ts'

/** Where the files are, whether that is there or not. Only what lies in the package finds it by its name. */
const FOLDER = join(root, 'build')
const GRAMMAR = join(root, 'source/grammar/index.ts')

const STRICTEST: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
}

/** Programs of grammars: without the DOM, which takes most of the time, and has nothing that values and trees are made of. */
const OF_GRAMMARS: ts.CompilerOptions = {
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  types: [],
  noUnusedLocals: true,
}

/** Programs of readers, which use Node and browsers, and find the package by its name. */
const OF_READERS: ts.CompilerOptions = {
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  types: ['node'],
}

/** What is not in memory is parsed once for all programs. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** What the compiler says of some files, by their names and lines: `name:line message`. `grammar` stands for xylem/grammar; otherwise it is the source. */
export function checkTypes(files: ReadonlyMap<string, string>, grammar?: string): string[] {
  const stub = 'xylem-grammar.d.ts'
  const paths = { 'xylem/grammar': [grammar === undefined ? GRAMMAR : join(FOLDER, stub)] }
  const all = grammar === undefined ? files : new Map([...files, [stub, grammar]])
  return compile([...files.keys()], all, { ...OF_GRAMMARS, paths })
}

/** What the compiler says of programs that use the built package. */
export function checkPrograms(files: ReadonlyMap<string, string>): string[] {
  return compile([...files.keys()], files, OF_READERS)
}

function compile(names: readonly string[], given: ReadonlyMap<string, string>, more: ts.CompilerOptions): string[] {
  const files = new Map([...given].map(([name, text]) => [join(FOLDER, name), text]))
  const options = { ...STRICTEST, ...more }
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  }
  const { fileExists, getSourceFile, directoryExists } = host
  host.directoryExists = (name) => name === FOLDER || directoryExists?.(name) === true
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.getSourceFile = (name, language) => {
    const text = files.get(name)
    if (text !== undefined) return ts.createSourceFile(name, text, language)
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, language))
    return parsed.get(name)
  }
  const program = ts.createProgram([...files.keys()], options, host)
  const found = names.flatMap((name) => {
    const file = program.getSourceFile(join(FOLDER, name))
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
  })
  return [...program.getOptionsDiagnostics(), ...found].map(({ file, start = 0, messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, ' ')
    if (file === undefined) return message
    return `${file.fileName.slice(FOLDER.length + 1)}:${file.getLineAndCharacterOfPosition(start).line + 1} ${message}`
  })
}

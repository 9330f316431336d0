// The compiler of TypeScript on files in memory, with the strictest settings.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const FOLDER = fileURLToPath(new URL('../generated-types', import.meta.url))
const GRAMMAR = fileURLToPath(new URL('../../source/grammar/index.ts', import.meta.url))

const OPTIONS: ts.CompilerOptions = {
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
  // Without the DOM, which takes most of the time, and has nothing that values are made of.
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
}
const parsed = new Map<string, ts.SourceFile | undefined>()

/** What the compiler says of some files, by their names and lines: `name:line message`. `grammar` stands for xylem/grammar; otherwise it is the source. */
export function checkTypes(given: ReadonlyMap<string, string>, grammar?: string): string[] {
  const files = new Map([...given].map(([name, text]) => [join(FOLDER, name), text]))
  const roots = [...files.keys()]
  const stub = join(FOLDER, 'xylem-grammar.d.ts')
  if (grammar !== undefined) files.set(stub, grammar)
  const options = { ...OPTIONS, paths: { 'xylem/grammar': [grammar === undefined ? GRAMMAR : stub] } }
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
  const program = ts.createProgram(roots, options, host)
  return roots.flatMap((root) => {
    const file = program.getSourceFile(root) as ts.SourceFile
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ start = 0, messageText }) => {
        const line = file.getLineAndCharacterOfPosition(start).line + 1
        return `${root.slice(FOLDER.length + 1)}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
      },
    )
  })
}

// Prepares the program that is measured: compiled, since the loader that runs TypeScript takes longer to start than some documents
// take to read, and beside a copy of the built package as if it were installed, since a build in the meantime takes it away.

import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const SOURCES = resolve(ROOT, 'scripts/bench')
const PROGRAM = resolve(ROOT, 'build/bench/program')

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  rewriteRelativeImportExtensions: true,
}

/** Compiles a module and all that it imports of the benchmarks. Gives the path of the compiled one. */
export async function compile(module: URL): Promise<string> {
  await rm(PROGRAM, { recursive: true, force: true })
  await installPackage()
  const entry = fileURLToPath(module)
  const modules = new Set([entry])
  // Grows while it is walked.
  for (const path of modules) {
    const text = await readFile(path, 'utf8')
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (fileName.startsWith('.')) modules.add(resolve(dirname(path), fileName))
    }
    const output = outputPath(path)
    await mkdir(dirname(output), { recursive: true })
    await writeFile(output, ts.transpileModule(text, { compilerOptions: OPTIONS, fileName: path }).outputText)
  }
  return outputPath(entry)
}

/** A package of its own around the program, without which the name of ours would mean the one that the program lies in. */
async function installPackage(): Promise<void> {
  const installed = resolve(PROGRAM, 'node_modules/xylem')
  await mkdir(installed, { recursive: true })
  await writeFile(resolve(PROGRAM, 'package.json'), '{ "type": "module" }\n')
  for (const name of ['package.json', 'dist']) {
    await cp(resolve(ROOT, name), resolve(installed, name), { recursive: true })
  }
}

function outputPath(path: string): string {
  return resolve(PROGRAM, relative(SOURCES, path).replace(/\.ts$/, '.js'))
}

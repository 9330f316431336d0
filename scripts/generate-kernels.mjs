// Compiles each AssemblyScript kernel of source/kernel and embeds its bytes in source/kernel/generated/; and of some a twin in JavaScript.
//
//   node scripts/generate-kernels.mjs           writes the files
//   node scripts/generate-kernels.mjs --check   compares, and exits 1 when one is out of date
import * as shared from './kernels/compile-kernel.mjs'

const check = process.argv.includes('--check')

/**
 * Folder below source/kernel, its files, initial memory in 64 KiB pages (undefined: that of a machine), and what stands before each file and before the
 * first one; and whether it has a twin in JavaScript.
 */
const kernels = [
  { name: 'scan', files: ['kernel.ts'], pages: 5, prelude: '' },
  { name: 'bzip2', files: ['kernel.ts'], pages: 81, prelude: '', hasTwin: true },
  { name: 'hash', files: ['kernel.ts'], pages: 3, prelude: '', hasTwin: true },
  {
    name: 'machine',
    files: ['kernel.ts', 'text.ts', 'tape.ts', 'content.ts', 'output.ts'],
    pages: 1,
    prelude: await shared.writeMachineConstants(),
    data: 'const IS_COMPILED: bool = false\n',
  },
  {
    name: 'xml',
    files: ['kernel.ts', 'project.ts', 'lines.ts', 'values.ts', 'scalars.ts', 'output.ts', '../machine/content.ts'],
    pages: undefined,
    prelude: (await shared.writeMachineConstants()) + (await shared.writePlanConstants()),
  },
]

for (const { name, files, pages, prelude, data = '', hasTwin } of kernels) {
  const sources = {}
  for (const file of files) {
    const before = prelude + (file === 'kernel.ts' ? data : '')
    sources[file.replace('../machine/', '')] = before + (await shared.readKernelSource(`${name}/${file}`))
  }
  const binary = await shared.compileKernel(name, sources, pages)
  const origin = `scripts/generate-kernels.mjs from source/kernel/${name}/`
  await shared.keep(`source/kernel/generated/${name}.ts`, shared.embedKernel(name, binary, origin), check)
  if (!hasTwin) continue
  const twin = await shared.compileKernel(name, sources, pages, { enable: [], shrinkLevel: 1 })
  await shared.keep(`source/kernel/generated/${name}-twin.js`, shared.embedTwin(name, twin, origin), check)
  await shared.keep(`source/kernel/generated/${name}-twin.d.ts`, 'export function instantiate(): unknown\n', check)
}

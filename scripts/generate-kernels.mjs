// Compiles each AssemblyScript kernel of source/kernel and embeds its bytes in source/kernel/generated/.
//
//   node scripts/generate-kernels.mjs           writes the files
//   node scripts/generate-kernels.mjs --check   compares, and exits 1 when one is out of date
import {
  compileKernel,
  embedKernel,
  keep,
  readKernelSource,
  writeMachineConstants,
  writePlanConstants,
} from './kernels/compile-kernel.mjs'

const check = process.argv.includes('--check')

/**
 * Folder below source/kernel, its files, initial memory in 64 KiB pages (undefined: that of a machine), and what stands before each file and before the
 * first one.
 */
const kernels = [
  { name: 'scan', files: ['kernel.ts'], pages: 5, prelude: '' },
  { name: 'bzip2', files: ['kernel.ts'], pages: 81, prelude: '' },
  { name: 'hash', files: ['kernel.ts'], pages: 3, prelude: '' },
  {
    name: 'machine',
    files: ['kernel.ts', 'text.ts', 'tape.ts', 'content.ts'],
    pages: 1,
    prelude: await writeMachineConstants(),
    data: 'const IS_COMPILED: bool = false\n',
  },
  {
    name: 'xml',
    files: ['kernel.ts', 'project.ts', 'lines.ts', 'values.ts', '../machine/content.ts', '../machine/escape.ts'],
    pages: undefined,
    prelude: (await writeMachineConstants()) + (await writePlanConstants()),
  },
]

for (const { name, files, pages, prelude, data = '' } of kernels) {
  const sources = {}
  for (const file of files) {
    const before = prelude + (file === 'kernel.ts' ? data : '')
    sources[file.replace('../machine/', '')] = before + (await readKernelSource(`${name}/${file}`))
  }
  const binary = await compileKernel(name, sources, pages)
  const origin = `scripts/generate-kernels.mjs from source/kernel/${name}/`
  await keep(`source/kernel/generated/${name}.ts`, embedKernel(name, binary, origin), check)
}

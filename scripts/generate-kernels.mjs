// Compiles each AssemblyScript kernel and embeds its bytes in a module beside its host, in a folder generated/; and of some a twin in
// JavaScript.
//
//   node scripts/generate-kernels.mjs           writes the files
//   node scripts/generate-kernels.mjs --check   compares, and exits 1 when one is out of date
import * as shared from './kernels/compile-kernel.mjs'
import { keep } from './kernels/keep.mjs'

const check = process.argv.includes('--check')

const machineConstants = await shared.writeMachineConstants()
/**
 * The module that is written, its files, initial memory in 64 KiB pages (undefined: that of a machine), and what stands before each file and before the
 * first one; and whether it has a twin in JavaScript.
 */
const kernels = [
  {
    name: 'bzip2',
    room: 'compression/bzip2',
    files: { 'kernel.ts': 'compression/kernel/bzip2.ts' },
    pages: 81,
    hasTwin: true,
  },
  {
    name: 'xxh64',
    room: 'compression/zstd',
    files: { 'kernel.ts': 'compression/kernel/xxh64.ts' },
    pages: 3,
    hasTwin: true,
  },
  {
    name: 'machine',
    room: 'machine/program',
    files: { 'kernel.ts': 'machine/kernel/kernel.ts', ...shared.MACHINE_FILES },
    pages: 1,
    prelude: machineConstants,
    data: 'const IS_COMPILED: bool = false\n',
  },
  {
    name: 'xml',
    room: 'xml/projection',
    files: Object.fromEntries(
      ['kernel', 'project', 'lines', 'values', 'scalars', 'output', 'content'].map((file) => [
        `${file}.ts`,
        `xml/kernel/${file}.ts`,
      ]),
    ),
    pages: undefined,
    prelude: machineConstants + (await shared.writePlanConstants()),
  },
]

for (const { name, room, files, pages, prelude = '', data = '', hasTwin } of kernels) {
  const sources = await shared.readKernelSources(files, prelude)
  sources['kernel.ts'] = data + sources['kernel.ts']
  const binary = await shared.compileKernel(name, sources, pages)
  const origin = `scripts/generate-kernels.mjs from source/${files['kernel.ts']}`
  const target = `source/${room}/generated/${name}`
  await keep(`${target}.ts`, shared.embedKernel(name, binary, origin), check)
  if (!hasTwin) continue
  const twin = await shared.compileKernel(name, sources, pages, { enable: [], shrinkLevel: 1 })
  await keep(`${target}-twin.js`, shared.embedTwin(name, twin, origin), check)
  await keep(`${target}-twin.d.ts`, 'export function instantiate(): unknown\n', check)
}

// Compiles the kernels that write usual records of dumps, from their shapes and the columns of their lines, and embeds their bytes in
// source/kernel/generated/.
//
//   tsx scripts/generate-record-kernels.ts           writes the files
//   tsx scripts/generate-record-kernels.ts --check   compares, and exits 1 when one is out of date
import { basename } from 'node:path'
import { PAGE } from '../source/mediawiki/page.ts'
import { columnsOf } from '../source/mediawiki/page-form.ts'
import { PAGE_REVISION } from '../source/mediawiki/page-revision.ts'
import { compileKernel, embedKernel, keep, readKernelSource, writeMachineConstants } from './kernels/compile-kernel.mjs'
import { compileShape } from './kernels/compile-shape.ts'

const check = process.argv.includes('--check')
const shapes = { pages: { shape: PAGE, element: 'page' }, revisions: { shape: PAGE_REVISION, element: 'revision' } }

const constants = await writeMachineConstants()
const kernel = await readKernelSource('usual/kernel.ts')
const others = await Promise.all(
  ['machine/text.ts', 'machine/content.ts', 'xml/output.ts', 'xml/scalars.ts'].map(async (file) => {
    return [basename(file), constants + (await readKernelSource(file))] as const
  }),
)
for (const [name, { shape, element }] of Object.entries(shapes)) {
  const { code, fields } = compileShape({
    shape,
    element,
    columns: (plan) => columnsOf(plan).all,
    ignored: { text: ['xml:space', 'sha1'] },
    id: 'id',
  })
  const sources = {
    'kernel.ts': `${constants}${kernel}${code}`,
    ...Object.fromEntries(others),
  }
  const binary = await compileKernel(name, sources, 2)
  const origin = `scripts/generate-record-kernels.ts from source/kernel/usual/ and the shape of ${name}`
  const embedded = [
    embedKernel(name, binary, origin),
    `/** The fields that it reads, by their names in the shape: their numbers, and whether they are values of attributes. */`,
    `export const ${name}Fields: Readonly<Record<string, { readonly number: number; readonly isValue: boolean }>> = {`,
    ...Object.entries(fields).map(
      ([field, { number, isValue }]) => `  '${field}': { number: ${number}, isValue: ${isValue} },`,
    ),
    '}\n',
  ].join('\n')
  await keep(`source/kernel/generated/${name}.ts`, embedded, check)
}

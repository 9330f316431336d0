// Compiles the kernels that write usual records of dumps, from their shapes and the columns of their lines, and embeds their bytes in
// source/kernel/generated/.
//
//   tsx scripts/generate-record-kernels.ts           writes the files
//   tsx scripts/generate-record-kernels.ts --check   compares, and exits 1 when one is out of date
import { PAGE } from '../source/mediawiki/page.ts'
import { columnsOf } from '../source/mediawiki/page-form.ts'
import { PAGE_REVISION } from '../source/mediawiki/page-revision.ts'
import { compileKernel, embedKernel, keep, readKernelSource, writeMachineConstants } from './kernels/compile-kernel.mjs'
import { compileShape } from './kernels/compile-shape.ts'

const check = process.argv.includes('--check')
const shapes = { pages: { shape: PAGE, element: 'page' }, revisions: { shape: PAGE_REVISION, element: 'revision' } }

const [kernel, json, text, escape] = await Promise.all(
  ['usual/kernel.ts', 'usual/json.ts', 'machine/text.ts', 'machine/escape.ts'].map((file) => readKernelSource(file)),
)
const constants = await writeMachineConstants()
for (const [name, { shape, element }] of Object.entries(shapes)) {
  const generated = compileShape({
    shape,
    element,
    columns: (plan) => columnsOf(plan).all,
    ignored: { text: ['xml:space', 'sha1'] },
    id: 'id',
    member: 'ns',
    presence: 'redirect',
  })
  const sources = {
    'kernel.ts': `${constants}${kernel}${generated}`,
    'json.ts': `${json}`,
    'text.ts': `${constants}${text}`,
    'escape.ts': `${escape}`,
  }
  const binary = await compileKernel(name, sources, 2)
  const origin = `scripts/generate-record-kernels.ts from source/kernel/usual/ and the shape of ${name}`
  await keep(`source/kernel/generated/${name}.ts`, embedKernel(name, binary, origin), check)
}

// Kernels as files of WebAssembly, for those who serve them: dist/*.wasm. In the library they are embedded in modules.

import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = new URL('../..', import.meta.url)
/** The files by the programs that are compiled in them. */
const files = { check: 'records.wasm', document: 'elements.wasm' }

export async function buildKernelFiles() {
  const { SECTION, decodeBytes, identify, kernels } = await loadSources()
  for (const [name, file] of Object.entries(files)) {
    const { bytes } = await kernels[name].load()
    const identity = await identify(name)
    await writeFile(new URL(`dist/${file}`, root), Buffer.concat([decodeBytes(bytes), makeSection(SECTION, identity)]))
  }
}

/** The sources, bundled: Node 20 cannot import TypeScript. */
async function loadSources() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('kernel-sources.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}

/** A custom section: the number 0, its length, the length of its name, the name, the content. All lengths are below 128, which is one byte. */
function makeSection(name, content) {
  const body = Buffer.concat([Buffer.of(name.length), Buffer.from(name), Buffer.from(content)])
  if (body.length > 127) throw new Error('the section is too long for one byte of length')
  return Buffer.concat([Buffer.of(0, body.length), body])
}

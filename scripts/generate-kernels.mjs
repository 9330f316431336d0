// Compiles each AssemblyScript kernel of source/kernel and embeds its bytes in source/kernel/generated/.
//
//   node scripts/generate-kernels.mjs           writes the files
//   node scripts/generate-kernels.mjs --check   compares, and exits 1 when one is out of date
import { compileKernel, embedKernel, keep, readKernelSource, writeMachineConstants } from './kernels/compile-kernel.mjs'

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
    prelude: await writeMachineConstants(),
  },
  {
    name: 'pages',
    files: ['kernel.ts', 'json.ts', '../machine/text.ts', '../machine/escape.ts'],
    pages: 2,
    prelude: `${await writeMachineConstants()}${writePageWords()}`,
    data: writePageKeys(),
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

/** Names of elements and attributes, as words of up to eight bytes in the order of memory. */
function writePageWords() {
  const words = {
    LT: '&lt;',
    GT: '&gt;',
    AMP: '&amp;',
    QUOT: '&quot;',
    APOS: '&apos;',
    PAGE: '<page>',
    END_PAGE: '/page>',
    TITLE: 'title',
    NS: 'ns',
    ID: 'id',
    REDIRECT: 'redirect',
    TITLE_IS: ' title="',
    REVISION: 'revision',
    END_REVISIO: '/revisio',
    N: 'n>',
    PARENTID: 'parentid',
    TIMESTAM: 'timestam',
    P: 'p>',
    CONTRIBU: 'contribu',
    TOR: 'tor>',
    END_CONTRIB: '/contrib',
    UTOR: 'utor>',
    USERNAME: 'username',
    IP: 'ip',
    MINOR: 'minor',
    COMMENT: 'comment',
    ORIGIN: 'origin',
    MODEL: 'model',
    FORMAT: 'format',
    TEXT: 'text',
    SHA1: 'sha1',
    BYTES_IS: 'bytes="',
    XML_SPAC: 'xml:spac',
    E_IS: 'e="',
    SHA1_IS: 'sha1="',
    ID_IS: 'id="',
    LOCATION: 'location',
  }
  const toWord = (text) => `0x${Buffer.from(text).reverse().toString('hex')}`
  const lines = Object.entries(words).map(([name, text]) => `const WORD_${name}: u64 = ${toWord(text)} // ${text}`)
  for (const [name, text] of [
    ['CLOSING', '</'],
    ['EMPTY_END', '/>'],
    ['IS_QUOTE', '="'],
  ]) {
    lines.push(`const ${name}: u32 = ${toWord(text)} // ${text}`)
  }
  return `${lines.join('\n')}\n`
}

/** The keys of the JSON of a page, each in 32 bytes, in the order of the fields. */
function writePageKeys() {
  const keys = [
    '{"id":',
    ',"ns":',
    ',"title":"',
    ',"redirect":"',
    ',"revision":{"id":',
    ',"parentid":',
    ',"timestamp":"',
    ',"contributor":{"username":"',
    ',"id":',
    ',"contributor":{"ip":"',
    ',"comment":"',
    ',"origin":',
    ',"model":"',
    ',"format":"',
    ',"bytes":',
    ',"sha1":"',
    ',"location":"',
    ',"textid":',
    ',"text":"',
    ',"minor":true',
  ]
  const bytes = keys.flatMap((key) => [...Buffer.from(key.padEnd(32))])
  const lengths = keys.map(({ length }) => length)
  return `const KEYS = memory.data<u8>([${bytes}])\nconst KEY_LENGTHS = memory.data<u8>([${lengths}])\n`
}

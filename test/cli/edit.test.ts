// `xylem edit`: documents with something changed.

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../support/command.ts'
import { isThorough, sample } from '../support/extent.ts'
import { fixturePath } from '../support/fixtures.ts'

const DOCUMENT = `<?xml version='1.0'?>\n<r  a = '1'><p id="7"   k='x'>T&#233; <i>in</i> &amp;</p ><q/><!-- ü --></r>\n`

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-edit-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
const pathOf = (name: string): string => join(folder, name)
function put(name: string, content: string | Uint8Array = DOCUMENT): string {
  writeFileSync(pathOf(name), content)
  return pathOf(name)
}
const edit = (...args: string[]) => run(['edit', ...args], DOCUMENT)

describe('a change', () => {
  test.each([
    ['--remove', 'p', '<p id="7"   k=\'x\'>T&#233; <i>in</i> &amp;</p >', ''],
    ['--remove', 'p/@k', `   k='x'`, ''],
    ['--unwrap', 'i', '<i>in</i>', 'in'],
    ['--rename', 'q=z', '<q/>', '<z/>'],
    ['--rename', 'p[@id="7"]/i=em', '<i>in</i>', '<em>in</em>'],
    ['--set', 'p/@k=a=b"', `k='x'`, 'k="a=b&quot;"'],
    ['--set', 'p[@id="7"][@k]/@k=/@', `k='x'`, 'k="/@"'],
    ['--set', 'q/@new=', '<q/>', '<q new=""/>'],
    ['--text', 'p/i=<&>', '<i>in</i>', '<i>&lt;&amp;&gt;</i>'],
    ['--text', 'q=', '<q/>', '<q/>'],
  ])('%s %s changes what it names, and nothing else', async (option, value, before, after) => {
    expect(DOCUMENT).toContain(before)
    expect(await edit(option, value)).toEqual({ code: 0, stdout: DOCUMENT.replace(before, after), stderr: '' })
  })

  test('of one element goes together with others, whatever their order', async () => {
    const expected = DOCUMENT.replace(`<p id="7"   k='x'>T&#233; <i>in</i> &amp;</p >`, `<z id="8"   k='x'>new</z >`)
    const changes = ['--rename=p=z', '--set=p/@id=8', '--text=p=new']
    expect((await edit(...changes)).stdout).toBe(expected)
    expect((await edit(...changes.reverse())).stdout).toBe(expected)
    const removed = await edit('--rename', 'p=z', '--remove', 'p', '--remove', 'q')
    expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining(`<r  a = '1'><!-- ü -->`) })
  })

  test('of one element is found, and made, where several paths match it', async () => {
    const removed = { code: 0, stdout: DOCUMENT.replace('<q/>', ''), stderr: '' }
    expect(await edit('--remove', 'q', '--remove', 'r/q', '--unwrap', '*/q')).toEqual(removed)
    expect(await edit('--remove', 'q', '--rename', 'r/q=z', '--set', '*/q/@a=1')).toEqual(removed)
    const unwrapped = { code: 0, stdout: DOCUMENT.replace('<q/>', '2'), stderr: '' }
    expect(await edit('--unwrap', 'q', '--text', 'q=1', '--text', 'r/q=2')).toEqual(unwrapped)
    const changes = ['--remove', 'i', '--remove', 'p/i/@no', '--remove', 'r/p/@k', '--remove', 'p/@k']
    expect(await edit(...changes)).toMatchObject({ code: 1, stderr: 'xylem: no attribute found for p/i/@no\n' })
  })

  test('may be in a namespace', async () => {
    const input = '<r xmlns:a="u=1"><a:p/></r>'
    const changed = '<r xmlns:a="u=1"><a:q x="1"/></r>'
    expect((await run(['edit', '--rename', '{u=1}p=a:q', '--set', '{u=1}p/@x=1'], input)).stdout).toBe(changed)
    const prefixed = ['edit', '--prefix', 'b=u=1', '--rename', 'b:p=a:q', '--set', 'b:p/@x=1']
    expect((await run(prefixed, input)).stdout).toBe(changed)
    expect((await run(['edit', '--no-namespaces', '--rename', 'a:p=q'], input)).stdout).toContain('<q/>')
  })

  test.each([
    [
      'has its prefix in the document',
      '<r xmlns:d="u"><d:a d:x="1" x="2"/></r>',
      '<r xmlns:d="u"><d:a d:x="5" x="2"/></r>',
    ],
    [
      'is new, and the element has a prefix',
      '<r xmlns:d="u"><d:a x="2"/></r>',
      '<r xmlns:d="u"><d:a x="2" d:x="5"/></r>',
    ],
    ['is new beside others', '<a xmlns="u" xmlns:d="u" d:y=""/>', '<a xmlns="u" xmlns:d="u" d:y="" d:x="5"/>'],
    ['is new where a prefix is declared', '<a xmlns="u" xmlns:d="u"/>', '<a xmlns="u" xmlns:d="u" d:x="5"/>'],
    [
      'is new under the prefix of the option',
      '<r xmlns:z="u"><a xmlns="u"/></r>',
      '<r xmlns:z="u"><a xmlns="u" z:x="5"/></r>',
    ],
    [
      'is new where its prefix has stood for other namespaces',
      '<r xmlns="u" xmlns:z="v"><b xmlns:z="u"><b xmlns:z="u"/></b><a xmlns:d="u"/></r>',
      '<r xmlns="u" xmlns:z="v"><b xmlns:z="u"><b xmlns:z="u"/></b><a xmlns:d="u" d:x="5"/></r>',
    ],
    [
      'is new where its prefix is declared anew',
      '<r xmlns="u" xmlns:z="v"><b xmlns:z="u"><a/></b></r>',
      '<r xmlns="u" xmlns:z="v"><b xmlns:z="u"><a z:x="5"/></b></r>',
    ],
    ['is new, and its prefix is declared', '<a xmlns="u"/>', '<a xmlns="u" xmlns:z="u" z:x="5"/>'],
  ])('of an attribute in a namespace: %s', async (_, input, changed) => {
    const args = ['edit', '--prefix', 'z=u', '--set', 'z:a/@z:x=5']
    expect(await run(args, input)).toEqual({ code: 0, stdout: changed, stderr: '' })
    const removed = await run(['edit', '--prefix', 'z=u', '--remove', 'z:a/@z:x'], changed)
    expect(removed).toEqual({ code: 0, stdout: changed.replace(/ \w:x="5"/, ''), stderr: '' })
    expect((await run(['edit', '--remove', '{u}a/@{u}x'], changed)).stdout).toBe(removed.stdout)
  })

  test('of an attribute in a namespace leaves one of that local name in none', async () => {
    const input = '<r xmlns:z="u"><z:a x="1"/><b x="2" z:x="3"/></r>'
    const removed = await run(['edit', '--prefix', 'z=u', '--remove', 'z:a/@z:x'], input)
    expect(removed).toEqual({ code: 1, stdout: input, stderr: 'xylem: no attribute found for z:a/@z:x\n' })
    const other = await run(['edit', '--prefix', 'z=u', '--remove', 'b/@x', '--set', 'b/@z:x=4'], input)
    expect(other).toMatchObject({ code: 0, stdout: '<r xmlns:z="u"><z:a x="1"/><b z:x="4"/></r>' })
  })

  test('of an attribute in a namespace cannot take a prefix that stands for another', async () => {
    const input = '<r xmlns="u" xmlns:z="v"><a/></r>'
    const { code, stderr } = await run(['edit', '--prefix', 'z=u', '--set', 'z:a/@z:x=5'], input)
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('the prefix z stands for v there') })
  })

  test('may be of xml:lang and of declarations also where prefixes are given', async () => {
    const input = '<a xml:lang="en"><b xmlns="v"/></a>'
    const args = ['--prefix=z=u', '--set=*/@xml:lang=de', '--remove=*/@xmlns', '--set=a/@xmlns:z=u']
    const changed = '<a xml:lang="de" xmlns:z="u"><b xml:lang="de"/></a>'
    expect(await run(['edit', ...args], input)).toEqual({ code: 0, stdout: changed, stderr: '' })
  })

  test.each([
    [[], 'nothing to change: use --remove, --unwrap, --rename, --set or --text'],
    [['--rename', 'p'], '--rename p: it must be PATH=name'],
    [['--rename', 'p=1'], '--rename p=1: "1" is not a name of XML'],
    [['--set', 'p=1'], '--set p=1: it must be PATH/@name=value'],
    [['--set', '/@x=1'], '--set /@x=1: it must be PATH/@name=value'],
    [['--text', '=x'], '--text =x: it must be PATH=text'],
    [['--remove', 'p['], 'invalid path "p["'],
    [['--remove', 'p[i]'], 'p[i]'],
    [['--text', 'p/@id=x'], 'invalid path "p/@id": it must be that of an element; use --set and --remove for its'],
    [['--remove', 'p/text()'], 'it must be that of an element; use --set'],
    [['--remove', 'p/@'], 'invalid path "p/@": "" is not an attribute name'],
    [['--remove', 'p/@k/'], 'invalid path "p/@k/": "k/" is not an attribute name'],
    [['--remove', 'p/@*'], 'invalid path "p/@*": "*" is not an attribute name'],
    [['--remove', 'p/@k x'], 'invalid path "p/@k x": "k x" is not an attribute name'],
    [['--remove', 'p/@k[1]'], 'invalid path "p/@k[1]": "k[1]" is not an attribute name'],
    [['--remove', 'p/@*:k'], 'invalid path "p/@*:k": "*:k" may be several attributes'],
    [['--remove', 'p/@a:k', '--prefix', 'b=u'], 'the prefix a is not given with --prefix'],
    [['--set', 'p/@k[1]=x'], 'invalid path "p/@k[1]": "k[1]" is not an attribute name'],
    [['--set', 'p/@{u}k=x'], '--set p/@{u}k=x: the name of an attribute that is set may have a prefix, but no braces'],
    [['--remove', 'a:p', '--prefix', 'b=u'], 'is not given with --prefix'],
    [['--remove', 'p', '--in-place', '--output', 'x.xml'], '--in-place cannot be used together with --output'],
    [['--remove', 'p', '--in-place'], 'xylem edit --in-place can read files only, not standard input'],
    [['--remove', 'p', '--output', 'x.csv'], 'edit writes XML, not .csv'],
  ])('that is invalid is refused: %j', async (args, message) => {
    const { code, stdout, stderr } = await edit(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })
})

describe('a path that matches nothing', () => {
  test('may be that of an attribute', async () => {
    expect(await edit('--remove', 'p/@nope', '--remove', '*/@id', '--remove', 'no/@id')).toEqual({
      code: 1,
      stdout: DOCUMENT.replace(' id="7"', ''),
      stderr: 'xylem: no element found for no\nxylem: no attribute found for p/@nope\n',
    })
  })

  test('is reported, and the document is printed; the exit code is 1', async () => {
    expect(await edit('--remove', 'none', '--remove', 'q', '--set', 'no/@a=1')).toEqual({
      code: 1,
      stdout: DOCUMENT.replace('<q/>', ''),
      stderr: 'xylem: no element found for no\nxylem: no element found for none\n',
    })
    expect(await edit('--remove', 'none', '--allow-empty', '--no-warnings')).toEqual({
      code: 0,
      stdout: DOCUMENT,
      stderr: '',
    })
  })
})

describe('an output', () => {
  test('gets its name when it is complete, and may be compressed', async () => {
    const input = put('in.xml')
    expect(await edit(input, '--remove', 'q', '--output', pathOf('out.xml'))).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
    expect(readFileSync(pathOf('out.xml'), 'utf8')).toBe(DOCUMENT.replace('<q/>', ''))
    const compressed = put('in.xml.gz', gzipSync(DOCUMENT))
    expect((await edit(compressed, '--remove', 'q')).stdout).toBe(DOCUMENT.replace('<q/>', ''))
    expect(await edit(input, '--remove', 'q', '--output', input)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the output would overwrite the input'),
    })
  })

  test('stays as it is after an error, which has its place', async () => {
    const output = put('kept.xml', 'before')
    const broken = put('broken.xml', DOCUMENT.replace('</r>', '</s>'))
    const { code, stderr } = await edit(broken, '--remove', 'q', '--output', output)
    expect(code).toBe(3)
    expect(stderr).toContain(`${broken}: the end tag </s> does not match <r> opened at 2:1`)
    expect(readFileSync(output, 'utf8')).toBe('before')
    const root = await edit('--remove', 'r')
    expect(root).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('cannot be removed (line 2, column 1, byte 22)'),
    })
    expect(await edit(pathOf('missing.xml'), '--remove', 'q')).toMatchObject({ code: 5 })
    expect(await edit(pathOf('*.xml'), '--remove', 'q')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('xylem edit reads one document'),
    })
  })
})

describe('a document that is replaced', () => {
  test('keeps its permissions, and links lead to it', async () => {
    const path = put('place.xml')
    chmodSync(path, 0o666)
    symlinkSync('place.xml', pathOf('link.xml'))
    expect(await edit(pathOf('link.xml'), '--in-place', '--rename', 'q=z')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(readFileSync(path, 'utf8')).toBe(DOCUMENT.replace('<q/>', '<z/>'))
    expect(statSync(path).mode & 0o777).toBe(0o666)
    expect(readlinkSync(pathOf('link.xml'))).toBe('place.xml')
  })

  test.skipIf(process.getuid?.() !== 0)('keeps its owner where the system allows it', async () => {
    const path = put('owned.xml')
    chownSync(path, 1234, 2345)
    chmodSync(path, 0o640)
    expect(await edit(path, '--in-place', '--rename', 'q=z')).toMatchObject({ code: 0 })
    const { uid, gid, mode } = statSync(path)
    expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: 1234, gid: 2345, mode: 0o640 })
  })

  test.each(['none', 'p/@nope'])('is not touched when nothing was changed: --remove %s', async (removed) => {
    const path = put('untouched.xml')
    utimesSync(path, 1, 1)
    const before = statSync(path)
    expect(await edit(path, '--in-place', '--remove', removed)).toMatchObject({ code: 1 })
    const { ino, mtimeMs } = statSync(path)
    expect({ ino, mtimeMs }).toEqual({ ino: before.ino, mtimeMs: 1000 })
    expect(await edit(path, '--in-place', '--remove', removed, '--allow-empty')).toMatchObject({ code: 0 })
    expect(statSync(path).mtimeMs).toBe(1000)
    expect(readdirSync(folder).filter((name) => name.startsWith('untouched'))).toEqual(['untouched.xml'])
  })

  describe('while another program changes it', () => {
    const large = `<r>${'<p>text</p>\n'.repeat(400_000)}</r>`
    const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
    const hasBegun = (path: string) =>
      readdirSync(folder).some((name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.partial'))
    /** Edits a document, and lets something happen when that has begun. */
    async function editDuring(path: string, happen: () => void) {
      writeFileSync(path, large)
      const edited = edit(path, '--in-place', '--rename', 'p=z')
      while (!hasBegun(path)) await setImmediate()
      happen()
      return await edited
    }

    test.each(
      sample<[string, (path: string) => void]>(
        [
          ['replaces', (path: string) => renameSync(put(`${basename(path)}.new`), path)],
          ['writes', (path: string) => writeFileSync(path, DOCUMENT)],
        ],
        1,
      ),
    )('is left as that program %s it', async (how, change) => {
      const path = pathOf(`${how}.xml`)
      const outcome = await editDuring(path, () => change(path))
      expect(outcome).toMatchObject({ code: 4, stdout: '' })
      expect(readFileSync(path, 'utf8')).toBe(DOCUMENT)
    })

    test.runIf(isThorough)('keeps what another xylem has edited', async () => {
      const path = pathOf('both.xml')
      const { code, stderr } = await editDuring(path, () => {
        execFileSync(process.execPath, [command, 'edit', path, '--in-place', '--rename', 'r=other'])
      })
      expect({ code, stderr }).toEqual({
        code: 4,
        stderr: `xylem: ${path}: the file was changed while it was edited, and is left as it is now; edit it again\n`,
      })
      expect(readFileSync(path, 'utf8')).toBe(large.replace('<r>', '<other>').replace('</r>', '</other>'))
      expect(hasBegun(path)).toBe(false)
    })
  })

  test('must not have other hard links, which would keep what was', async () => {
    const path = put('hard.xml')
    linkSync(path, pathOf('hard-too.xml'))
    expect(await edit(path, '--in-place', '--remove', 'q')).toMatchObject({
      code: 2,
      stderr: `xylem: ${path} has other hard links, which --in-place would not change: use --output\n`,
    })
    expect(readFileSync(path, 'utf8')).toBe(DOCUMENT)
  })

  test.skipIf(process.platform === 'win32')('must be a regular file', async () => {
    const path = pathOf('pipe')
    execFileSync('mkfifo', [path])
    expect(await edit(path, '--in-place', '--remove', 'q')).toMatchObject({
      code: 2,
      stderr: `xylem: xylem edit --in-place can read files only, not ${path}, which is not a regular file\n`,
    })
  })

  test('stays as it is after an error', async () => {
    const broken = put('unclosed.xml', DOCUMENT.replace('</r>', ''))
    const before = readFileSync(broken, 'utf8')
    expect(await edit(broken, '--in-place', '--remove', 'q')).toMatchObject({ code: 3 })
    expect(readFileSync(broken, 'utf8')).toBe(before)
    const names = readdirSync(folder).filter((name) => name.startsWith('unclosed'))
    expect(names).toEqual(['unclosed.xml', 'unclosed.xml.partial'])
  })

  test.each(['x.xml.gz', 'compressed.xml'])('must not be compressed: %s', async (name) => {
    const bytes = gzipSync(DOCUMENT)
    const path = put(name, bytes)
    expect(await edit(path, '--in-place', '--remove', 'q')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is compressed; --in-place replaces only what is not: use --output'),
    })
    expect(readFileSync(path).equals(bytes)).toBe(true)
    expect(existsSync(`${path}.partial`)).toBe(false)
  })
})

describe('an encoding', () => {
  const latin = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?><r><q>ü</q></r>`, 'latin1')

  test('is kept, or becomes UTF-8 with its declaration', async () => {
    const path = put('latin.xml', latin)
    await edit(path, '--text', 'q=éЯ', '--output', pathOf('kept-latin.xml'))
    const expected = `<?xml version="1.0" encoding="ISO-8859-1"?><r><q>é&#1071;</q></r>`
    expect(readFileSync(pathOf('kept-latin.xml')).equals(Buffer.from(expected, 'latin1'))).toBe(true)
    const { code, stdout } = await edit(path, '--rename', 'q=p', '--encoding', 'utf-8')
    expect([code, stdout]).toEqual([0, '<?xml version="1.0" encoding="UTF-8"?><r><p>ü</p></r>'])
  })

  test('is converted to nothing else than UTF-8', async () => {
    expect(await edit('--rename', 'q=p', '--encoding', 'UTF8')).toMatchObject({ code: 0 })
    expect(await edit('--rename', 'q=p', '--encoding', 'latin1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('It must be utf-8: documents are converted to nothing else.'),
    })
  })

  test('that cannot be copied is refused before anything is written', async () => {
    const path = put('greek.xml', Buffer.from('<?xml version="1.0" encoding="ISO-8859-7"?><r/>', 'latin1'))
    expect(await edit(path, '--rename', 'r=s')).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('convert it with --encoding utf-8 (line 1'),
    })
    expect(await edit(path, '--rename', 'r=s', '--encoding', 'utf-8')).toMatchObject({
      code: 0,
      stdout: '<?xml version="1.0" encoding="UTF-8"?><s/>',
    })
  })
})

test('a dump without its texts is the dump without them', async () => {
  const dump = fixturePath('mediawiki/small-dump.xml')
  const { code, stdout } = await edit(dump, '--remove', 'text')
  expect(code).toBe(0)
  expect(stdout).toBe(readFileSync(dump, 'utf8').replace(/<text\b[^>]*?(?:\/>|>[\s\S]*?<\/text>)/g, ''))
})

// docs/fields.md, the schemas and what is really printed say the same.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import pageSchema from '../../docs/page.schema.json' with { type: 'json' }
import revisionSchema from '../../docs/revision.schema.json' with { type: 'json' }
import { listFields } from '../../source/cli/output/field-names.ts'
import type { JsonSchema } from '../../source/xml/question/json-schema.ts'
import { run } from '../support/command.ts'
import { isThorough } from '../support/extent.ts'
import { fixturePath } from '../support/fixtures.ts'
import { readPage } from '../support/markdown.ts'

interface Field {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
}

const page = readPage('docs/fields.md')
const definitions = pageSchema.definitions as Record<string, JsonSchema>

/** The rows of the first table below a heading. */
function readTable(heading: string): Field[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| `(\w+)` \| (.*?) \| (.*?) \|$/gm)].map(([, name, type, text]) => ({
    name: name as string,
    type: (type as string).replace(/\[(.*?)\]\(.*?\)/g, '$1').replaceAll('`', ''),
    isRequired: (text as string).startsWith('Always'),
  }))
}

/** The properties of a schema, as the page describes them. */
function describeSchema({ properties = {}, oneOf = [], required = [] }: JsonSchema): Field[] {
  const own = Object.entries(properties).map(([name, value]) => {
    return { name, type: describeType(value), isRequired: required.includes(name) }
  })
  const alternatives = oneOf.flatMap(({ properties = {} }) => describeSchema({ properties }))
  return [...own, ...alternatives]
}

function describeType({ type, const: constant, items, additionalProperties, $ref }: JsonSchema): string {
  if (constant !== undefined) return String(constant)
  if ($ref) return `object, a ${nameOf($ref)}`
  if (items?.$ref) return `array of ${nameOf(items.$ref)}s`
  if (typeof additionalProperties === 'object') return 'object of strings'
  return String(type)
}

const nameOf = (ref: string) => ref.replace('#/definitions/', '')

test.runIf(isThorough)(
  'the schemas and the tables of docs/fields.md follow from the shapes of dumps and their comments',
  {
    timeout: 60_000,
  },
  () => {
    const root = fileURLToPath(new URL('../..', import.meta.url))
    execFileSync(process.execPath, ['--import', 'tsx', 'scripts/generate-schemas.ts', '--check'], { cwd: root })
  },
)

describe('docs/fields.md', () => {
  test.each<[heading: string, schema: JsonSchema]>([
    ['Lines of `xylem pages`', pageSchema as JsonSchema],
    ['Revisions', definitions.revision as JsonSchema],
    ['Contributors', definitions.contributor as JsonSchema],
    ['Slots', definitions.slot as JsonSchema],
    ['Uploads', definitions.upload as JsonSchema],
    ['Elements', definitions.element as JsonSchema],
  ])('lists under "%s" the fields of the schema, with their types, in their order', (heading, schema) => {
    expect(readTable(heading)).toEqual(describeSchema(schema))
  })

  test('leaves out no definition of the schema', () => {
    expect(Object.keys(definitions).sort()).toEqual(['contributor', 'element', 'revision', 'slot', 'upload'])
    expect(readTable('Lines of `xylem revisions`').map(({ name }) => name)).toEqual(['page'])
  })
})

describe('the schema of lines of revisions', () => {
  const { page: ofPage, ...ofRevision } = revisionSchema.properties

  test('has the fields of a page without its revision, and those of a revision', () => {
    const { revision: _, uploads: __, ...facts } = pageSchema.properties
    expect(ofPage.properties).toEqual(facts)
    expect(ofPage.required).toEqual(pageSchema.required)
    expect(ofRevision).toEqual(pageSchema.definitions.revision.properties)
    // Old dumps may lack ids.
    expect(revisionSchema.required).toEqual(['page'])
    expect(pageSchema.definitions.revision).not.toHaveProperty('required')
    expect(pageSchema.definitions).toMatchObject(revisionSchema.definitions)
  })

  test('has what --list-fields prints, in its order', () => {
    const names = listFields('revisions').map(({ name }) => name.split('.')[0])
    expect([...new Set(names)]).toEqual(Object.keys(revisionSchema.properties))
  })
})

/** A dump with every element that a revision or a page can have. */
const FULL = `<mediawiki version="0.11"><page><title>File:A</title><ns>6</ns><id>1</id><redirect title="B"/>
<restrictions>edit=sysop</restrictions><new a="1">x</new>
<revision><id>2</id><parentid>1</parentid><timestamp>2026-01-02T03:04:05Z</timestamp><contributor><ip>192.0.2.1</ip></contributor>
<minor/><comment>c</comment><origin>2</origin><model>wikitext</model><format>text/x-wiki</format>
<text bytes="1" sha1="a" location="tt:1" id="9">t</text><content><role>mediainfo</role><origin>2</origin><model>m</model>
<format>f</format><text bytes="2" sha1="b" location="tt:2">{}</text></content><sha1>s</sha1><odd/></revision>
<upload><timestamp>2026-01-02T03:04:05Z</timestamp><contributor deleted="deleted"/><comment>u</comment><filename>A</filename>
<archivename>z</archivename><src>https://example.org/A</src><size>3</size><sha1base36>q</sha1base36><rel>a/A</rel>
<contents encoding="base64">QQ==</contents></upload>
<discussionthreadinginfo><ThreadSubject>s</ThreadSubject></discussionthreadinginfo></page></mediawiki>`

describe.each([
  ['pages', pageSchema],
  ['revisions', revisionSchema],
])('xylem %s', (command, schema) => {
  const validate = new Ajv({ allErrors: true }).compile(schema)

  test.each([
    ['the fixture', [fixturePath('mediawiki/small-dump.xml.bz2')], ''],
    ['a dump with every field', ['-'], FULL],
  ])('prints lines that the schema describes, from %s', async (_, args, input) => {
    const { code, stdout } = await run([command, ...args], input)
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    for (const line of lines) {
      validate(JSON.parse(line))
      expect(validate.errors, line).toBeNull()
    }
    // The order is that of the schema, too.
    const order = Object.keys(schema.properties)
    for (const line of lines) {
      const keys = Object.keys(JSON.parse(line))
      expect(keys).toEqual(order.filter((key) => keys.includes(key)))
    }
  })

  test('prints every field of the schema somewhere, and those on request where they are asked for', async () => {
    const { stdout } = await run([command, '-'], FULL)
    const given = Object.entries(schema.properties as Record<string, JsonSchema>).flatMap(([name, { description }]) => {
      return description?.endsWith('Given only where it is asked for by name.') ? [] : [name]
    })
    expect(Object.keys(JSON.parse(stdout)).sort()).toEqual(given.sort())
    const names = listFields(command as 'pages' | 'revisions').map(({ name }) => name)
    const all = names.filter((name) => !/contributor\.(?:username|id|deleted)$|discussion/.test(name))
    for (const more of [[], ['--check-all-fields']]) {
      const { stdout } = await run([command, '-', '--fields', all.join(','), ...more], FULL)
      expect(Object.keys(JSON.parse(stdout))).toEqual(all)
    }
  })

  test('does not print what the schema refuses', () => {
    expect(validate({ id: 1 })).toBe(false)
    expect(validate({ id: 1, title: 'x', page: { id: 1, title: 'x' }, unknown: true })).toBe(false)
  })
})

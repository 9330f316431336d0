// Writes what follows from the shapes of dumps and their comments: docs/page.schema.json, docs/revision.schema.json and the tables of docs/fields.md.
//
//   tsx scripts/generate-schemas.ts           writes the files
//   tsx scripts/generate-schemas.ts --check   compares, and exits 1 when one is out of date
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { PAGE, PAGE_REVISION } from '../source/mediawiki/shape/page.ts'
import { type JsonSchema, schemaOf } from '../source/xml/question/json-schema.ts'
import type { XmlShape } from '../source/xml/question/shape.ts'
import { keep } from './kernels/keep.mjs'

const NAMES = { revision: 'revision', contributor: 'contributor', slots: 'slot', uploads: 'upload' }
const SCHEMAS = [
  {
    file: 'page.schema.json',
    variable: 'PAGE',
    shape: PAGE,
    title: 'A line of `xylem pages`',
    description:
      'A page of a MediaWiki XML dump with its newest revision in the dump. What the dump does not have is absent. Properties come in the order listed here.',
  },
  {
    file: 'revision.schema.json',
    variable: 'PAGE_REVISION',
    shape: PAGE_REVISION,
    title: 'A line of `xylem revisions`',
    description:
      'A revision of a page in a MediaWiki XML dump, with the facts of its page. What the dump does not have is absent. Properties come in the order listed here.',
  },
]

const check = process.argv.includes('--check')
const root = new URL('../', import.meta.url)
const path = fileURLToPath(new URL('source/mediawiki/shape/page.ts', root))
const program = ts.createProgram([path], {
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  lib: ['lib.es5.d.ts'],
  types: [],
})
const checker = program.getTypeChecker()

/** The comments of the fields of a shape that a variable is, by the names of the fields with those of the records around them. */
function readNotes(variable: string): Map<string, JsonSchema> {
  const file = checker.getSymbolAtLocation(program.getSourceFile(path) as ts.SourceFile) as ts.Symbol
  const symbol = checker.getExportsOfModule(file).find(({ name }) => name === variable) as ts.Symbol
  const notes = new Map<string, JsonSchema>()
  noteFields(checker.getTypeOfSymbol(symbol), '', notes)
  return notes
}

function noteFields(shape: ts.Type, prefix: string, notes: Map<string, JsonSchema>): void {
  for (const property of shape.getProperties()) {
    const name = prefix + property.name
    const description = ts.displayPartsToString(property.getDocumentationComment(checker)).replaceAll('\n', ' ')
    const [tag] = property.getJsDocTags().filter((one) => one.name === 'minimum')
    const minimum = tag && { minimum: Number(ts.displayPartsToString(tag.text)) }
    notes.set(name, { ...(description && { description }), ...minimum })
    const type = checker.getTypeOfSymbol(property)
    for (const field of elementsOf(type)) {
      for (const key of ['fields', 'oneOf']) {
        const inner = field.getProperty(key)
        if (!inner) continue
        for (const one of elementsOf(checker.getTypeOfSymbol(inner))) noteFields(one, `${name}.`, notes)
      }
    }
  }
}

/** The elements of an array that is written out; or the type itself. */
function elementsOf(type: ts.Type): readonly ts.Type[] {
  return checker.isTupleType(type) ? checker.getTypeArguments(type as ts.TypeReference) : [type]
}

/** JSON as Biome formats it. */
function format(value: object): string {
  return `${JSON.stringify(value, null, 2).replace(/\[\s+("[^[\]{}]*")\s+\]/g, (_, items) => `[${items.replace(/,\s+/g, ', ')}]`)}\n`
}

const [page] = await Promise.all(
  SCHEMAS.map(async ({ file, variable, shape, title, description }) => {
    const notes = readNotes(variable)
    const { definitions, ...schema } = schemaOf(shape as XmlShape, { notes, names: NAMES })
    const head = { $schema: 'http://json-schema.org/draft-07/schema#', title, description }
    await keep(`docs/${file}`, format({ ...head, ...schema, definitions }), check)
    return { ...schema, definitions }
  }),
)

/** The rows of a table for the properties of a schema, or of all that it may be. */
function rowsOf({ properties = {}, required = [], oneOf = [] }: JsonSchema, isOption = false): string[] {
  const rows = Object.entries(properties).map(([name, property]) => {
    const always = required.includes(name) && !isOption ? 'Always. ' : ''
    return `| \`${name}\` | ${typeOf(property)} | ${always}${property.description?.replace(/\.$/, '') ?? ''} |\n`
  })
  return [...rows, ...oneOf.flatMap((one) => rowsOf(one, true))]
}

function typeOf({ type, const: constant, items, additionalProperties, $ref }: JsonSchema): string {
  const link = (ref: string, end = '') => {
    const name = ref.replace('#/definitions/', '')
    return `[${name}${end}](#${name}s)`
  }
  if (constant !== undefined) return `\`${constant}\``
  if ($ref) return `object, a ${link($ref)}`
  if (items?.$ref) return `array of ${link(items.$ref, 's')}`
  return typeof additionalProperties === 'object' ? 'object of strings' : String(type)
}

let fields = await readFile(new URL('docs/fields.md', root), 'utf8')
const { revision, contributor, slot, upload } = page?.definitions ?? {}
for (const [heading, schema] of Object.entries({
  'Lines of `xylem pages`': page,
  Revisions: revision,
  Contributors: contributor,
  Slots: slot,
  Uploads: upload,
})) {
  const [before, section = ''] = fields.split(new RegExp(`(?<=\n## ${heading}\n)`))
  fields =
    before + section.replace(/(?<=\n\| --- \| --- \| --- \|\n)(?:\|.*\n)*/, rowsOf(schema as JsonSchema).join(''))
}
await keep('docs/fields.md', fields, check)

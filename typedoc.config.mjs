// `npm run docs`: the reference of the library in docs/api/, with a module for each path that can be imported.

import { readFileSync } from 'node:fs'
import { OptionDefaults } from 'typedoc'

const { exports } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

export default {
  entryPoints: Object.values(exports).flatMap(({ types }) =>
    types ? [types.replace('./dist/', 'source/').replace('.d.ts', '.ts')] : [],
  ),
  out: 'docs/api',
  excludeInternal: true,
  excludePrivate: true,
  disableSources: true,
  highlightLanguages: [...OptionDefaults.highlightLanguages, 'python'],
  // It is for the schemas that are made of comments.
  blockTags: [...OptionDefaults.blockTags, '@minimum'],
  excludeTags: ['@minimum'],
  // `npm run check:types` finds errors of types.
  tsconfig: 'tsconfig.build.json',
  skipErrorChecking: true,
  // The README has links to folders, which are not copied. test/docs/links.test.ts follows all links.
  validation: { invalidPath: false },
  // The tables that the names of formats and of kinds are made of, a shape of dumps, and types that others are made of.
  intentionallyNotExported: [
    'FAMILIES',
    'FORMATS',
    'OF_TEXTS',
    'REVISION',
    'AsData',
    'CompactFields',
    'Compared',
    'ComparedAt',
    'FieldConditions',
    'FieldName',
    'Given',
    'InJson',
    'NameExcept',
    'NamesOf',
    'NotGiven',
    'RecordOf',
    'ValueOf',
  ],
  treatWarningsAsErrors: true,
}

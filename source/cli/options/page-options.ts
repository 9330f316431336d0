// Options of the commands that find single pages of dumps.

import { MAX_INPUT, MAX_RETAINED } from './limit-options.ts'
import { jobs, type OptionEntry, type OptionValues, OUTPUT, QUIET } from './option.ts'
import { INPUT, normalizeTitle, parseCount, parseName, parserOf } from './option-values.ts'

export type GetOptions = OptionValues<typeof GET_OPTIONS>
export type IndexOptions = OptionValues<typeof INDEX_OPTIONS>

export const GET_OPTIONS = [
  [
    '--title <title>',
    'the title of the page, with its namespace; spaces, underscores and the first letter as on the wiki',
    parserOf((text) => (text.trim() === '' ? undefined : normalizeTitle(text)), 'a page title.'),
  ],
  ['--id <n>', 'the id of the page', parseCount],
  ['--index <file>', `the index of the dump: ${INPUT}`],
  ['--text', 'print the wikitext instead of JSON'],
  jobs(),
  MAX_RETAINED,
  MAX_INPUT,
  OUTPUT,
  QUIET,
] as const satisfies readonly OptionEntry[]

export const INDEX_OPTIONS = [
  ['-o, --output <file>', 'write to this file, or - for standard output (default: DUMP.index)', parseName],
  jobs(),
  MAX_RETAINED,
  MAX_INPUT,
  QUIET,
] as const satisfies readonly OptionEntry[]

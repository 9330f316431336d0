// Options of the commands that read documents.

import { FORMAT, formatOptions } from './format-options.ts'
import { XML_LIMITS } from './limit-options.ts'
import { ALLOW_EMPTY, jobs, NO_WARNINGS, type OptionEntry, type OptionValues, OUTPUT, QUIET } from './option.ts'
import { oneOf, parseCount, parseRepeated, parseSize } from './option-values.ts'
import { DOCUMENTS, ENTITIES, NO_NAMESPACES, ON_ERROR, TO_UTF8, XML_OPTIONS } from './xml-options.ts'

const INFER_OPTIONS = [
  ['--each <path>', 'the elements that are records, instead of those that repeat; repeatable', parseRepeated],
  ['--sample <size>', 'look at so much of all documents together, decompressed (default: 4Mi)', parseSize],
  ['--all', 'look at all of the documents'],
] as const satisfies readonly OptionEntry[]

export type InferOptions = OptionValues<typeof INFER_COMMAND_OPTIONS>
export type SelectOptions = OptionValues<typeof SELECT_OPTIONS>
export type CheckOptions = OptionValues<typeof CHECK_OPTIONS>
export type EditOptions = OptionValues<typeof EDIT_OPTIONS>

export const SELECT_OPTIONS = [
  ['--path <path>', 'print the elements of this path, too; repeatable', parseRepeated],
  ['--xml', 'print elements as XML, as they are in the input'],
  ['--as-object', 'print elements as plain objects: {"name": content}'],
  ['--field <name=path>', 'print only this field of each element (see Fields below); repeatable', parseRepeated],
  ['--shape <file>', 'print the fields of this shape, a file of JSON (see Shapes below)'],
  ['--infer', 'print all that is in the records of documents (see Inferring below)'],
  ...INFER_OPTIONS,
  ['--lenient', 'print null for a value that is not of its kind; otherwise it is an error'],
  ['--where <condition>', 'print only records for which this holds (see Conditions below); repeatable', parseRepeated],
  ['--prefix <prefix=URI>', 'the namespace that a prefix in paths stands for; repeatable', parseRepeated],
  [
    '--nested <which>',
    'of matches inside each other, print the outermost, innermost or all (inner ones first)',
    { parse: oneOf('outermost', 'innermost', 'all'), default: 'outermost' },
  ],
  FORMAT,
  ...formatOptions(),
  ON_ERROR,
  ...formatOptions('file'),
  ['--limit <n>', 'stop after N elements', parseCount],
  ...XML_OPTIONS,
  DOCUMENTS,
  jobs('use N threads to decompress bzip2, and to read ranges of large files with --field or --shape'),
  ['--stats', 'print how many ranges of files were used, and how many bytes were read twice'],
  OUTPUT,
  ALLOW_EMPTY,
  NO_WARNINGS,
  QUIET,
] as const satisfies readonly OptionEntry[]

export const INFER_COMMAND_OPTIONS = [
  ...INFER_OPTIONS,
  ['--required', 'say of what all records have that it is required'],
  ...XML_OPTIONS,
  jobs(),
  OUTPUT,
] as const satisfies readonly OptionEntry[]

export const CHECK_OPTIONS = [...XML_OPTIONS, DOCUMENTS, jobs(), QUIET] as const satisfies readonly OptionEntry[]

export const EDIT_OPTIONS = [
  ['--remove <path>', 'leave out these elements, or with PATH/@name this attribute; repeatable', parseRepeated],
  ['--unwrap <path>', 'leave out the tags of these elements, and keep their content; repeatable', parseRepeated],
  ['--rename <path=name>', 'give these elements another name; repeatable', parseRepeated],
  ['--set <path/@name=value>', 'give these elements an attribute, or change it; repeatable', parseRepeated],
  ['--text <path=text>', 'replace the content of these elements by a text; repeatable', parseRepeated],
  ['--prefix <prefix=URI>', 'the namespace that a prefix in paths stands for; repeatable', parseRepeated],
  TO_UTF8,
  OUTPUT,
  ['--in-place', 'replace the document, when the new one is complete'],
  NO_NAMESPACES,
  ...ENTITIES,
  ...Object.values(XML_LIMITS),
  jobs(),
  ALLOW_EMPTY,
  NO_WARNINGS,
  QUIET,
] as const satisfies readonly OptionEntry[]

// What is measured, and what each figure is compared with.

import type { InputName } from './inputs.ts'
import type { LibraryTaskName } from './library.ts'

export interface Task {
  readonly name: string
  readonly input: InputName
  /** What reads the input: the arguments of a command, in which FILE stands for it, or a task of the library. */
  readonly does: { readonly command: string } | { readonly library: LibraryTaskName; readonly isOnlyHere?: true }
  /** The task whose answer is the same. */
  readonly sameAs?: string
  readonly aim?: Aim
}

/** How long a task may take, in times of another one. */
interface Aim {
  readonly than: string
  /** Whether it is the other one of the baseline. */
  readonly isOfBaseline: boolean
  readonly atMost: number
}

const OF_SELECT = 'select page --field id --field title'

const ofBaseline = (than: string, atMost: number): { aim: Aim } => ({ aim: { than, isOfBaseline: true, atMost } })
const of = (than: string, atMost: number): { aim: Aim } => ({ aim: { than, isOfBaseline: false, atMost } })

/** A command for dumps, with one job unless said otherwise. `note` tells it from the same command for other inputs. */
function command(text: string, input: InputName, { jobs = 1, note = '' } = {}): Task {
  const [name, ...args] = text.split(' ')
  const full = [name, 'FILE', ...args, '--jobs', String(jobs), '--quiet'].join(' ')
  return { name: note === '' ? text : `${text}, ${note}`, input, does: { command: full } }
}

function select(path: string, input: InputName, fields: readonly string[]): Task {
  const options = fields.map((field) => `--field ${field}`).join(' ')
  return { name: `select ${path} ${options}`, input, does: { command: `select ${path} FILE ${options} --quiet` } }
}

function library(name: LibraryTaskName, input: InputName): Task {
  return { name, input, does: { library: name } }
}

function peer(name: LibraryTaskName, input: InputName): Task {
  return { name, input, does: { library: name, isOnlyHere: true } }
}

/** What the baseline may not have. */
function recent(name: LibraryTaskName, input: InputName): Task {
  return { name, input, does: { library: name, isOnlyHere: true } }
}

/** The commands that are measured on more than one input, and with more jobs. */
const EVERYWHERE = ['pages', 'pages --fields id,title', 'revisions']

const TWO_JOBS = { jobs: 2, note: '2 jobs' }
const BZIP2 = { note: 'bzip2' }
const BZIP2_TWO_JOBS = { jobs: 2, note: 'bzip2, 2 jobs' }

export const tasks: readonly Task[] = [
  select('page', 'dump', ['id', 'title']),
  { ...command('pages', 'dump'), ...ofBaseline('pages', 1) },
  { ...command('pages --limit 1000000', 'dump'), sameAs: 'pages', ...ofBaseline('pages', 1.1) },
  { ...command('pages --ns 0', 'dump'), ...ofBaseline('pages', 1.1) },
  { ...command('pages --since 2010', 'dump'), ...ofBaseline('pages', 1.1) },
  { ...command('pages --title e', 'dump'), ...ofBaseline('pages', 1.1) },
  { ...command('pages --fields id,title', 'dump'), ...of(OF_SELECT, 1.1) },
  { ...command('pages --fields id,title --format csv', 'dump'), ...of(OF_SELECT, 1.1) },
  command('pages --format csv', 'dump'),
  { ...command('revisions', 'dump'), ...ofBaseline('pages', 1.4) },
  { ...command('pages --verify', 'dump'), sameAs: 'pages', ...ofBaseline('pages', 2.5) },
  ...EVERYWHERE.map((text) => ({ ...command(text, 'dump', TWO_JOBS), sameAs: text })),
  ...EVERYWHERE.map((text) => ({ ...command(text, 'bzip2', BZIP2), sameAs: text })),
  ...EVERYWHERE.map((text) => ({ ...command(text, 'bzip2', BZIP2_TWO_JOBS), sameAs: text })),
  ...EVERYWHERE.map((text) => command(text, 'stubs', { note: 'stubs' })),
  ...EVERYWHERE.map((text) => command(text, 'history', { note: 'history' })),
  select('row', 'rows', ['id=@Id', 'score=@Score', 'body=@Body']),
  peer('rows by saxes', 'rows'),
  { ...library('records of rows', 'rows'), sameAs: 'rows by saxes', ...of('rows by saxes', 1 / 3) },
  peer('trees of rows by saxes', 'rows'),
  {
    ...library('elements of rows', 'rows'),
    sameAs: 'trees of rows by saxes',
    ...of('trees of rows by saxes', 1 / 1.5),
  },
  peer('trees by saxes', 'dump'),
  { ...library('elements of a dump', 'dump'), sameAs: 'trees by saxes', ...of('trees by saxes', 1 / 1.5) },
  peer('events by saxes', 'dump'),
  { ...library('events', 'dump'), sameAs: 'events by saxes', ...of('events by saxes', 1 / 1.6) },
  library('records from a file', 'dump'),
  { ...library('records from memory', 'dump'), sameAs: 'records from a file', ...of('records from a file', 1) },
  recent('lines of a dump', 'dump'),
  { ...recent('columns of a dump', 'dump'), sameAs: 'lines of a dump', ...of('lines of a dump', 1 / 0.9) },
  library('small documents, parseXml', 'rows'),
  {
    ...library('small documents, select', 'rows'),
    sameAs: 'small documents, parseXml',
    ...of('small documents, parseXml', 2),
  },
  {
    ...library('small documents, records', 'rows'),
    sameAs: 'small documents, parseXml',
    ...of('small documents, parseXml', 2),
  },
]

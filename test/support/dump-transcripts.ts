// What every command that reads dumps prints for a dump.

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Transcript } from './transcript.ts'

/** A time of change for all files: the ids of ranges depend on it. */
const CHANGED = 1_767_225_600
const ALL_FIELDS =
  'revision.text,title,ns,id,redirect,restrictions,discussion,other,uploads,revision.id,revision.parentid,revision.timestamp,' +
  'revision.contributor,revision.minor,revision.comment,revision.origin,revision.model,revision.format,revision.bytes,revision.sha1,' +
  'revision.location,revision.textid,revision.other,revision.slots'
const INNER_FIELDS =
  'discussion.ThreadID,uploads.0.size,uploads.1.filename,uploads.0.contributor.username,other.0.name,revision.contributor.username,' +
  'revision.contributor.id,revision.contributor.ip,revision.contributor.deleted,revision.slots.0.role,revision.slots.1,revision.other.0.name'

const RECORDS = [
  'pages DUMP',
  'revisions DUMP',
  'pages DUMP --format csv',
  'pages DUMP --format tsv',
  'revisions DUMP --format csv',
  'revisions DUMP --format tsv',
  'pages DUMP --format csv --csv-safe --fields title,revision.text',
  'pages DUMP --format tsv --csv-safe --fields title,revision.text',
  ...['jsonl', 'csv', 'tsv'].flatMap((format) => [
    `pages DUMP --fields id,title --format ${format}`,
    `pages DUMP --fields ${ALL_FIELDS} --format ${format}`,
    `pages DUMP --fields ${INNER_FIELDS} --format ${format}`,
    `revisions DUMP --fields page.title,page.other,page.discussion,id,contributor.username,slots --format ${format}`,
  ]),
  'pages DUMP --fields revision',
  'revisions DUMP --fields page',
]

const FILTERED = [
  ...[
    '--ns 0',
    '--ns Main,Talk',
    '--ns file,90',
    '--ns -1,0',
    '--ns 828',
    '--redirects out',
    '--redirects only',
    '--ns 0 --redirects only',
    "--title '^[A-M]'",
    "--title '\\s'",
    "--titles 'Long|Stub|Xylem'",
    "--titles '|@a'",
    '--ids 7,20-30,500-',
    '--since 2026-01-02',
    '--until 2025',
    "--since 2020-03 --until '2026-01-02 03:04'",
    '--model wikitext,css',
    '--minor only',
    '--minor out',
    '--contributor Ada,192.0.2.1',
    "--ns 0 --redirects out --minor out --contributor Ada --title 'e'",
  ].flatMap((filter) => [`pages DUMP ${filter}`, `revisions DUMP ${filter} --fields page.id,id`]),
  'pages DUMP --ns 1 --fields ns,title --format csv',
  'pages DUMP --redirects only --fields redirect,title --format tsv',
]

const LIMITED = [
  'pages DUMP --limit 0',
  'pages DUMP --limit 3',
  'pages DUMP --limit 3 --format csv',
  'pages DUMP --limit 1000000',
  'pages DUMP --ns 0 --limit 2 --fields id,title',
  'revisions DUMP --limit 0',
  'revisions DUMP --limit 7',
  'revisions DUMP --limit 1000000',
]

const CHECKED = [
  'pages DUMP --verify',
  'revisions DUMP --verify',
  'pages DUMP --verify --fields id --format csv',
  'pages DUMP --verify --ns 0 --limit 5',
  'pages DUMP --stats',
  'pages DUMP --stats --fields id',
  'revisions DUMP --stats --fields id',
  'pages DUMP --strict',
  'revisions DUMP --strict --fields id,comment',
  'pages DUMP --on-error skip-page --stats',
  'revisions DUMP --on-error skip-page --fields page.id,id',
  'pages DUMP --on-error skip-block --fields id',
]

const PARALLEL = [
  'pages DUMP --jobs 2',
  'pages DUMP --jobs 2 --fields id,title',
  'pages DUMP --jobs 2 --verify --format csv',
  'pages DUMP --jobs 2 --on-error skip-page --fields id,title',
  'revisions DUMP --jobs 2',
]

const REFUSED = [
  'pages DUMP --fields id,username',
  'pages DUMP --ns Nowhere',
  'pages DUMP --ids 5-3',
  'pages DUMP --since 2026 --until 2025',
  'pages DUMP --csv-safe',
]

const GOT = [
  'info DUMP',
  'get DUMP --id 2',
  "get DUMP --title 'Line_ends'",
  'get DUMP --title Xylem --text',
  'get DUMP --id 500',
  'get DUMP --id 1234567',
]

/** Commands by what they are about; DUMP stands for the dump. */
export const COMMANDS = {
  records: RECORDS,
  filtered: [...FILTERED, ...LIMITED],
  checked: CHECKED,
  parallel: PARALLEL,
  refused: REFUSED,
  got: GOT,
  /** Each way to a record once. */
  few: [
    'pages DUMP',
    'revisions DUMP',
    'pages DUMP --fields id,title --format csv',
    'pages DUMP --limit 1000000',
    'pages DUMP --ns 0',
    "pages DUMP --title ''",
    'get DUMP --id 9',
  ],
  piped: ['pages DUMP', 'revisions DUMP', 'pages DUMP --fields id,title', 'pages DUMP --limit 5 --format csv'],
} as const

/** A folder with dumps, and a transcript of commands that read them. */
export class DumpTranscripts implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'xylem-recorded-'))

  /** The path of a file in the folder: a copy of another one, or some bytes. */
  put(name: string, content: string | Uint8Array): string {
    const path = join(this.folder, name)
    if (typeof content === 'string') cpSync(content, path)
    else writeFileSync(path, content)
    utimesSync(path, CHANGED, CHANGED)
    return path
  }

  start(longestOutput?: number): Transcript {
    return new Transcript(this.folder, longestOutput)
  }

  /** Commands with DUMP in them, one after the other. */
  async runAll(transcript: Transcript, dump: string, commands: readonly string[]): Promise<void> {
    for (const command of commands) await transcript.run(command.replace('DUMP', dump))
  }

  /** Some commands, with the dump as it arrives on standard input. */
  async runPiped(transcript: Transcript, chunks: readonly Uint8Array[]): Promise<void> {
    for (const command of COMMANDS.piped)
      await transcript.run(command.replace('DUMP', '-'), { input: chunks, shown: command })
  }

  /** The ranges of a plan, each read, and committed; the same by --resume. */
  async runPlan(transcript: Transcript, dump: string, size: number, options: string): Promise<void> {
    const plan = await transcript.run(`plan ${dump} --range-size ${size} ${options}`.trimEnd())
    const [, ...ranges] = plan.stdout.split('\n').slice(0, -1)
    const parts = join(this.folder, `parts of ${basename(dump)} ${options}`.trimEnd())
    for (const [i, range] of ranges.entries()) {
      await transcript.run('read -', { input: range, shown: `read (range ${i})` })
      await transcript.run(`read - --output '${parts}'`, { input: range, shown: `read (range ${i}) --output parts` })
    }
    await transcript.run(`commit - '${parts}'`, { input: plan.stdout, shown: 'commit plan parts' })
    this.#addParts(transcript, parts)
    rmSync(parts, { recursive: true, force: true })
    const kind = options.includes('--revisions') ? 'revisions' : 'pages'
    const command =
      `${kind} ${dump} --resume --range-size ${size} --stats ${options.replace('--revisions', '')}`.trimEnd()
    for (let run = 0; run < 2; run++) await transcript.run(`${command} --output '${parts}'`, { shown: command })
    this.#addParts(transcript, parts)
  }

  async runIndex(transcript: Transcript, dump: string, id: number): Promise<void> {
    await transcript.run(`index ${dump} --output ${dump}.index`)
    transcript.add(`${dump}.index`, readFileSync(`${dump}.index`, 'utf8'))
    await transcript.run(`get ${dump} --id ${id}`)
    rmSync(`${dump}.index`)
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true })
  }

  #addParts(transcript: Transcript, folder: string): void {
    // Of what is refused, there are none.
    for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
      if (name.startsWith('part-') || name === '_SUCCESS')
        transcript.add(name, readFileSync(join(folder, name), 'utf8'))
    }
  }
}

// What is in a file of a table, added up, so that files of several formats can be compared.

import { execFileSync } from 'node:child_process'
import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { RecordBatchReader } from 'apache-arrow'
import { readParquet } from '../../../test/support/parquet.ts'

export interface Sums {
  rows: number
  /** Of all ids. */
  ids: number
  /** Lengths of all titles and texts in UTF-16, and how many texts are null. */
  titles: number
  texts: number
  nulls: number
}

interface Row {
  readonly id: unknown
  readonly title: string
  readonly text?: string | null | undefined
}

/** Adds up what is in a file, by the ending of its name. */
export async function sumUp(path: string): Promise<Sums> {
  const sums: Sums = { rows: 0, ids: 0, titles: 0, texts: 0, nulls: 0 }
  const add = ({ id, title, text }: Row) => {
    sums.rows++
    sums.ids += Number(id)
    sums.titles += title.length
    sums.texts += text?.length ?? 0
    if (text === null || text === undefined) sums.nulls++
  }
  if (path.endsWith('.jsonl')) {
    for await (const line of createInterface({ input: createReadStream(path) })) add(JSON.parse(line))
  } else if (path.endsWith('.parquet')) {
    for (const row of (await readParquet(readFileSync(path))).records) add(row as Row)
  } else if (path.endsWith('.arrow')) {
    for (const batch of RecordBatchReader.from(readFileSync(path))) {
      const [ids, titles, texts] = ['id', 'title', 'text'].map((name) => batch.getChild(name))
      for (let i = 0; i < batch.numRows; i++) add({ id: ids?.get(i), title: titles?.get(i), text: texts?.get(i) })
    }
  } else {
    const program = `import json, sqlite3, sys
database = sqlite3.connect(sys.argv[1])
[[table]] = database.execute("select name from sqlite_master where type = 'table'")
for row in database.execute(f'select id, title, text from "{table}"'): print(json.dumps(row))`
    const lines = execFileSync('python3', ['-c', program, path], { encoding: 'utf8', maxBuffer: 2 ** 30 })
    for (const line of lines.split('\n').slice(0, -1)) {
      const [id, title, text] = JSON.parse(line)
      add({ id, title, text })
    }
  }
  return sums
}

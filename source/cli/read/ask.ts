// From a question as data to what reads its records.

import type { BatchOptions } from '../../xml/readings/records.ts'
import type { Asked, NoteError, Request } from './question.ts'

/**
 * Checks a question. `note` is called for errors that are skipped; without it, reading stops at all errors. `reading` reads the records of documents
 * on this thread, and keeps them there. Throws a `UsageError` for what is invalid.
 */
export async function ask(request: Request, note?: NoteError, reading?: BatchOptions): Promise<Asked> {
  const { question } = request
  // Each kind has modules of its own.
  if (question.kind !== 'records') return await (await import('./pages.ts')).askForPages({ ...request, question }, note)
  const { SelectedRecords } = await import('./records.ts')
  return new SelectedRecords({ ...request, question }, note, reading)
}

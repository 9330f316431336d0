// All that explains why a document is not well-formed, as one module.

import { Messages } from '../../machine/program/stored-messages.ts'
import { messages as text } from './generated/messages.ts'

export { isMoreWanted } from './explain.ts'
export { explainFailure, readFailedPart } from './syntax-failure.ts'

let messages: Messages | undefined

/** What is in messages of the programs. */
export function getMessages(): Messages {
  messages ??= new Messages(text)
  return messages
}

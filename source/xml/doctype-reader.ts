// The document type declaration, read in steps: it may want text from outside.

import type { TextPosition } from '../machine/text-position.ts'
import type { DocumentType } from './document-type.ts'
import type { ExternalRequest } from './external.ts'

export class DoctypeReader {
  readonly start: number
  readonly end: number
  readonly type: DocumentType

  constructor(text: string, position: TextPosition, _options: { isStandalone: boolean; namespaces: boolean }) {
    this.start = position.byteOffset
    this.end = position.byteOffset + text.length
    this.type = {
      name: '',
      publicId: undefined,
      systemId: undefined,
      internalSubset: undefined,
      entities: new Map(),
      attributes: new Map(),
      hasUnreadDeclarations: true,
    }
  }

  next(_answer: string | undefined): ExternalRequest | undefined {
    return undefined
  }
}

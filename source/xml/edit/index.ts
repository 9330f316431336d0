/**
 * Changes documents that are larger than memory: what is not changed is copied byte for byte.
 *
 * @module xylem/xml/edit
 */

export { LimitError, SourceError } from '../../stream/errors.ts'
export { XylemError } from '../../stream/xylem-error.ts'
export { XmlError } from '../errors/errors.ts'
export type { XmlContent } from '../write/content.ts'
export { type XmlEditCode, XmlEditError, type XmlEditErrorDetails } from './edit-error.ts'
export { type EditOptions, editXml, type XmlEdits } from './edit-xml.ts'
export { atTags, type Edit, EditedElement, EditedTag, remove, rename, type TagEdit, unwrap } from './edited-tag.ts'

/**
 * Changes documents that are larger than memory: what is not changed is copied byte for byte.
 *
 * @module xylem/xml/edit
 */

export { type XmlEditCode, XmlEditError, type XmlEditErrorDetails } from './edit-error.ts'
export { XmlEditStream } from './edit-stream.ts'
export { type EditOptions, editXml, type XmlEdits } from './edit-xml.ts'
export { EditedElement, EditedTag } from './edited-tag.ts'
export { atTags, type Edit, remove, rename, type TagEdit, unwrap } from './edits.ts'

/**
 * The named characters of HTML, for documents that use them without declaring them.
 *
 * @module xylem/xml/html-entities
 */

export { htmlEntities } from './html-entities.ts'

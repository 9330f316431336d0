/**
 * Elements as plain objects and back, and looking for elements in a tree.
 *
 * @module xylem/xml/object
 */

export { descendants, type FindOptions, find, findAll } from './find.ts'
export { fromObject } from './from-object.ts'
export { toObject } from './to-object.ts'
export type {
  XmlObject,
  XmlObjectContent,
  XmlObjectOf,
  XmlObjectOptions,
  XmlOrderedNode,
  XmlOrderedObject,
  XmlValue,
} from './xml-object.ts'

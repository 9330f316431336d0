/**
 * Shapes that are inferred from documents.
 *
 * @module xylem/xml/infer
 */

export { type FormatShapeOptions, formatShape } from './format-shape.ts'
export { type InferOptions, type InferredShape, inferShape, type RepeatedElements } from './infer-shape.ts'
export type { InferredField } from './inferred-fields.ts'

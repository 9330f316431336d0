/**
 * Reads XML as it arrives: all of `xylem/xml` but `parseXml`. Bundlers make less of it, because what rare documents need is loaded when one comes.
 *
 * @module xylem/xml/streaming
 */

export type { Items } from '../async/items.ts'
export type {
  BoolColumn,
  Column,
  ColumnBatch,
  DecimalColumn,
  Float64Column,
  Int64Column,
  ListColumn,
  StructColumn,
  TimestampColumn,
  Utf8Column,
} from '../record/format/column.ts'
export type { FormatName } from '../record/format/index.ts'
export { LimitError, SourceError } from '../stream/errors.ts'
export { XylemError } from '../stream/xylem-error.ts'
export { ParseError } from '../text/parse-error.ts'
export type { AttributeDeclaration, DocumentType, EntityDeclaration } from './doctype/document-type.ts'
export type { ExternalRequest } from './doctype/external.ts'
export type { SkippedEntity } from './doctype/skipped.ts'
export { readXmlDocuments } from './documents.ts'
export { XmlError, type XmlErrorDetails } from './errors/errors.ts'
export type {
  XmlCommentEvent,
  XmlDeclarationEvent,
  XmlDoctypeEvent,
  XmlEndEvent,
  XmlEvent,
  XmlInstructionEvent,
  XmlStartEvent,
  XmlTextEvent,
} from './events.ts'
export { loadKernel } from './language/load-kernel.ts'
export type { AttributeDetails, XmlAttributes } from './names/attributes.ts'
export type {
  ColumnOptions,
  RecordOptions,
  Resolver,
  SelectOptions,
  SynchronousResolver,
  WriteOptions,
  XmlDocumentsOptions,
  XmlEventOptions,
  XmlLimits,
  XmlOptions,
} from './options.ts'
export type { XmlDeclaration } from './parser/consumer.ts'
export type {
  CompactRecord,
  FieldShape,
  FieldValue,
  KindValue,
  KindValues,
  OneValue,
  OuterField,
  RecordField,
  ValueField,
  ValueKind,
  XmlRecord,
  XmlShape,
} from './question/shape.ts'
export type { FieldCondition, LateNames, SeenRecord, ValueRange, WhereConditions, XmlWhere } from './question/where.ts'
export { readXml, type XmlReader } from './reader.ts'
export type { ErrorPolicy, SkippedRecords } from './readings/recovery.ts'
export type { XmlComment, XmlElement, XmlElementData, XmlInstruction, XmlNode, XmlText } from './tree/element.ts'

// The places of a document as an audit sees them: those around records, as they were seen in a sample, and those in records, with what fields have of them.

import type { TapeFrame } from '../../tape/tape-frame.ts'
import type { InferredRecords } from '../infer-shape.ts'
import type { PathNode } from '../path-node.ts'
import type { ElementForm, ValueForm } from '../record-form.ts'
import { isDeclaration } from '../survey.ts'

/** What an attribute is: a value of a field; nothing that counts; or unseen. */
export type AuditedAttribute = ValueForm | 'ignored' | 'unseen'

export class AuditPlace {
  /** Of an element in a record, or of that of a record. */
  readonly form: ElementForm | undefined
  /** Whether a record begins here, and whether others may begin in it. */
  readonly isRecord: boolean
  readonly holdsRecords: boolean
  /** Whether text in it belongs to no field, and whether its text must be checked. */
  readonly hasNoText: boolean
  readonly isChecked: boolean
  /** Whether it is around records, and whether a field of records has what it says of its own. */
  readonly isAround: boolean
  readonly isGroup: boolean
  readonly path: string
  /** The number of the element in which one like it was seen last. */
  seenIn = 0
  /** Of an element around records: the number of the last one in which a record was seen. */
  recordIn = 0
  readonly #records: InferredRecords
  readonly #node: PathNode | undefined
  readonly #children: (AuditPlace | null | undefined)[] = []
  readonly #attributes: (AuditedAttribute | undefined)[] = []
  readonly #byName = new Map<string, AuditPlace>()

  constructor(records: InferredRecords, node: PathNode | undefined, form: ElementForm | undefined, isRecord = false) {
    this.#records = records
    this.#node = node
    this.form = form
    this.isRecord = isRecord
    this.isAround = node !== undefined && records.around.has(node)
    this.isGroup = node !== undefined && records.groups.includes(node)
    this.path = node?.path ?? ''
    this.holdsRecords = node !== undefined && !form && records.isOpen && records.nodes[0]?.parent === node
    this.hasNoText = form !== undefined && !form.text && !form.isXml
    this.isChecked = form?.text !== undefined && form.text.kind !== 'string'
  }

  /** The place of a child whose name has a symbol; undefined for one that was not seen. */
  child(frame: TapeFrame, symbol: number, isOfDocument: boolean): AuditPlace | undefined {
    if (!isOfDocument) return this.#find(frame.names.get(symbol).raw)
    const known = this.#children[symbol]
    if (known !== undefined) return known ?? undefined
    const place = this.#find(frame.names.get(symbol).raw)
    this.#children[symbol] = place ?? null
    return place
  }

  attribute(frame: TapeFrame, symbol: number, isOfDocument: boolean): AuditedAttribute {
    const known = isOfDocument ? this.#attributes[symbol] : undefined
    if (known !== undefined) return known
    const found = this.attributeNamed(frame.names.get(symbol).raw)
    if (isOfDocument) this.#attributes[symbol] = found
    return found
  }

  attributeNamed(name: string): AuditedAttribute {
    const { hasNamespaces, nilNames } = this.#records
    return (hasNamespaces && isDeclaration(name)) || nilNames.has(name)
      ? 'ignored'
      : (this.form?.attributes.get(name) ?? 'unseen')
  }

  /** Whether an attribute of an element around records is lost. */
  loses(name: string): boolean {
    if (this.#records.hasNamespaces && isDeclaration(name)) return false
    return !this.isGroup || !this.#node?.attributes.has(name)
  }

  #find(name: string): AuditPlace | undefined {
    const known = this.#byName.get(name)
    if (known) return known
    const found = this.#make(name)
    if (found) this.#byName.set(name, found)
    return found
  }

  #make(name: string): AuditPlace | undefined {
    const { nodes, form } = this.#records
    if (this.form) {
      const child = this.form.children.get(name)
      return child && new AuditPlace(this.#records, undefined, child)
    }
    const node = this.#node?.children.get(name)
    if (!node) return undefined
    return nodes.includes(node)
      ? new AuditPlace(this.#records, node, form, true)
      : new AuditPlace(this.#records, node, undefined)
  }
}

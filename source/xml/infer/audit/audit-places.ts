// The places of a document as an audit sees them: those around records, as they were seen in a sample, and those in records, with what fields have of them.

import type { AttributeDetails } from '../../names/attributes.ts'
import { XMLNS_NAMESPACE } from '../../names/namespaces.ts'
import type { InferredRecords } from '../infer-shape.ts'
import type { PathNode } from '../path-node.ts'
import type { ElementForm, ValueForm } from '../record-form.ts'

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
  readonly #attributes: (ValueForm | 'unseen' | undefined)[] = []

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

  /** The place of a child whose name has a number; undefined for one that was not seen. */
  child(number: number): AuditPlace | undefined {
    const known = this.#children[number]
    if (known !== undefined) return known ?? undefined
    const place = this.#make(this.#records.names.elements.texts[number] as string)
    this.#children[number] = place ?? null
    return place
  }

  attribute(number: number): ValueForm | 'unseen' {
    const text = this.#records.names.attributes.texts[number] as string
    this.#attributes[number] ??= this.form?.attributes.get(text) ?? 'unseen'
    return this.#attributes[number]
  }

  /** Whether an attribute of an element around records is lost. */
  loses({ name, namespace }: AttributeDetails): boolean {
    if (this.#records.names.hasNamespaces && namespace === XMLNS_NAMESPACE) return false
    return !this.isGroup || !this.#node?.attributes.has(this.#records.names.attributes.find(name, namespace) ?? '')
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

// The attributes of a start tag among the records of a frame.

import { NodeType } from '../../machine/program/program.ts'
import { ENTRY_LENGTH, XmlAttributes } from '../names/attributes.ts'
import type { NamespaceScopes } from '../names/namespaces.ts'
import { RECORD_WORDS, type TapeFrame } from '../tape/tape-frame.ts'
import type { ToSource } from './consumer.ts'

/**
 * The attributes of the tag whose records are these: that of its name, and its own, with names and values between them. `scopes` has the declarations that hold
 * there; undefined where namespaces are off. Throws a `StringTooLong`.
 */
export function readAttributes(
  frame: TapeFrame,
  nameRecord: number,
  tag: number,
  scopes: NamespaceScopes | undefined,
  toSource: ToSource | undefined,
): XmlAttributes {
  if (frame.settled?.tag === tag) return frame.settled.attributes
  if (nameRecord + 1 === tag) return XmlAttributes.NONE
  const { words, types, entity } = frame
  let count = 0
  for (let record = nameRecord + 1; record < tag; record++) {
    if (((words[record * RECORD_WORDS] as number) & 255) === types.name) count++
  }
  // An array that grows has room for sixteen at once.
  const entries = new Array<string | number | undefined>(count * ENTRY_LENGTH)
  let namespaces: (string | undefined)[] | undefined
  let name = 0
  for (let record = nameRecord + 1, at = 0; record < tag; record++) {
    const type = (words[record * RECORD_WORDS] as number) & 255
    if (type === types.name) {
      name = record
    } else if (type === NodeType.LITERAL) {
      const attribute = frame.nameOf(name)
      entries[at] = attribute.raw
      entries[at + 1] = frame.valueOf(record, name + 1)
      if (!entity) {
        const [start, end] = [frame.startOf(name), frame.endOf(record)]
        entries[at + 2] = toSource ? toSource(start) : start
        entries[at + 3] = toSource ? toSource(end) : end
      }
      const namespace = scopes?.ofAttribute(attribute)
      if (namespace !== undefined) {
        namespaces ??= new Array<string | undefined>(count).fill(undefined)
        namespaces[at / ENTRY_LENGTH] = namespace
      }
      at += ENTRY_LENGTH
    }
  }
  return new XmlAttributes(entries, namespaces)
}

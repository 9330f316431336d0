// What quoted texts in declarations stand for: the values of entities (section 4.5) and the defaults of attributes (section 3.3.3).
// Without recursion: entities may name each other to any depth.

import type { DoctypeScanner, ParameterEntity } from './doctype-scanner.ts'
import type { EntityDeclaration } from './document-type.ts'
import { Fault } from './fault.ts'
import { isName } from './name-characters.ts'
import { predefinedEntity, referredCharacter } from './references.ts'

/** A text that is being read, and of what it is. */
interface Open<Entity> {
  readonly text: string
  position: number
  readonly entity: Entity | undefined
}

/** The replacement text of an entity: character references and parameter entities replaced, general references as they are. */
export function readEntityValue(literal: string, scanner: DoctypeScanner, name: string): string {
  let value = ''
  const open: Open<ParameterEntity>[] = [{ text: literal, position: 0, entity: undefined }]
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const found = /[%&]/g
    found.lastIndex = top.position
    const at = found.exec(top.text)?.index ?? top.text.length
    value += top.text.slice(top.position, at)
    top.position = at
    if (at === top.text.length) {
      open.pop()
    } else if (top.text[at] === '&') {
      const reference = readReference(top)
      value += reference.startsWith('#') ? requireCharacter(reference) : `&${reference};`
    } else {
      const parameter = readParameterReference(top)
      if (!scanner.isExternal) {
        const message = `the parameter entity ${parameter} must not be referred to in a declaration of the internal subset (in the entity ${name})`
        throw new Fault(message, 'parameter-entity', 'WFC: PEs in Internal Subset')
      }
      const entity = scanner.find(parameter)
      if (open.some((other) => other.entity !== undefined && other.entity === entity)) {
        throw new Fault(`the parameter entity ${parameter} refers to itself`, 'entity-loop', 'WFC: No Recursion')
      }
      const text = entity && scanner.textOf(entity)
      if (text !== undefined) open.push({ text, position: 0, entity })
    }
  }
  return value
}

/** Reads values of attributes by the entities that are declared so far. */
export class ValueReader {
  readonly #entities: ReadonlyMap<string, EntityDeclaration>
  readonly #mayBeUnknown: boolean
  readonly #isOutside: boolean
  readonly #count: (units: number) => void

  /** With `mayBeUnknown`, an entity that is not declared may be one that nobody has read. `count` is told what entities make. */
  constructor(
    entities: ReadonlyMap<string, EntityDeclaration>,
    mayBeUnknown: boolean,
    isOutside: boolean,
    count: (units: number) => void,
  ) {
    this.#count = count
    this.#entities = entities
    this.#mayBeUnknown = mayBeUnknown
    this.#isOutside = isOutside
  }

  /** The value, with white space made blanks. Throws a {@link Fault}. */
  read(literal: string): string {
    let value = ''
    const open: Open<EntityDeclaration>[] = [{ text: literal, position: 0, entity: undefined }]
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const reference = top.text.indexOf('&', top.position)
      const at = reference === -1 ? top.text.length : reference
      const plain = top.text.slice(top.position, at)
      if (plain.includes('<')) throw new Fault('"<" must not be in the value of an attribute', 'less-than-in-value')
      value += plain.replace(/[\t\n\r]/g, ' ')
      top.position = at
      if (reference === -1) {
        open.pop()
        continue
      }
      const name = readReference(top)
      const character = name.startsWith('#') ? requireCharacter(name) : predefinedEntity(name)
      const entity = character === undefined ? this.#find(name) : undefined
      if (character !== undefined) value += character
      if (!entity) continue
      if (open.some((other) => other.entity === entity)) {
        throw new Fault(`the entity ${name} refers to itself`, 'entity-loop', 'WFC: No Recursion')
      }
      const text = entity.text as string
      this.#count(text.length)
      open.push({ text, position: 0, entity })
    }
    return value
  }

  #find(name: string): EntityDeclaration | undefined {
    const entity = this.#entities.get(name)
    if (!entity && (this.#mayBeUnknown || this.#isOutside)) return undefined
    if (!entity) throw new Fault(`the entity ${name} is not declared`, 'undeclared-entity', 'WFC: Entity Declared')
    if (entity.text === undefined) {
      const message = `the external entity ${name} must not be referred to in an attribute`
      throw new Fault(message, 'external-entity', 'WFC: No External Entity References')
    }
    return entity
  }
}

/** Reads `&…;`: a name, or a number with its `#`. */
function readReference(open: Open<unknown>): string {
  const end = open.text.indexOf(';', open.position)
  const reference = end === -1 ? '' : open.text.slice(open.position + 1, end)
  const isWellFormed = /^#(?:[0-9]+|x[0-9a-fA-F]+)$/.test(reference) || isName(reference)
  if (!isWellFormed) throw new Fault('expected a reference behind "&"', 'reference')
  open.position = end + 1
  return reference
}

function readParameterReference(open: Open<unknown>): string {
  const end = open.text.indexOf(';', open.position)
  const name = end === -1 ? '' : open.text.slice(open.position + 1, end)
  if (!isName(name)) throw new Fault('expected the name of a parameter entity and ";" behind "%"', 'reference')
  open.position = end + 1
  return name
}

function requireCharacter(number: string): string {
  const character = referredCharacter(number)
  if (character !== undefined) return character
  throw new Fault(`&${number.slice(0, 20)}; is no character of XML 1.0`, 'character-reference', 'WFC: Legal Character')
}

// What quoted texts stand for: the values of entities (section 4.5), and those of attributes (section 3.3.3), in tags and as defaults.
// Without recursion: entities may name each other to any depth.

import { isName } from '../../../text/markup/xml-characters.ts'
import { concatText, limitLength } from '../../../text/units.ts'
import { shorten, UnplacedError } from '../../errors/unplaced-error.ts'
import { standsFor } from '../../text/references.ts'
import type { EntityDeclaration } from '../document-type.ts'
import type { DoctypeScanner, Literal, ParameterEntity, Steps } from './doctype-scanner.ts'

/** A text that is being read, and of what it is. */
interface Open<Entity> {
  readonly text: string
  position: number
  readonly entity: Entity | undefined
}

/** The replacement text of an entity: character references and parameter entities replaced, general references as they are. */
export function* readEntityValue(literal: Literal, scanner: DoctypeScanner, name: string): Steps<string> {
  let value = ''
  /** Where in the literal the reference begins that is being read. */
  let place = 0
  const names = new Set<ParameterEntity>()
  const open: Open<ParameterEntity>[] = [{ text: literal.text, position: 0, entity: undefined }]
  try {
    for (let top = open.at(-1); top; top = open.at(-1)) {
      yield* scanner.pause()
      const found = /[%&]/g
      found.lastIndex = top.position
      const at = found.exec(top.text)?.index ?? top.text.length
      value = concatText(value, top.text.slice(top.position, at))
      top.position = at
      if (open.length === 1) place = at
      if (at === top.text.length) {
        open.pop()
        if (top.entity) names.delete(top.entity)
      } else if (top.text[at] === '&') {
        const reference = readReference(top)
        const character = reference.startsWith('#') ? standsFor(reference) : undefined
        value = concatText(value, character ?? `&${reference};`)
      } else {
        const parameter = readParameterReference(top)
        if (!scanner.isExternal) {
          const message = `the parameter entity ${shorten(parameter)} must not be referenced inside a declaration of the internal subset (in the entity ${shorten(name)})`
          throw new UnplacedError(message, 'parameter-entity', 'WFC: PEs in Internal Subset')
        }
        const entity = scanner.find(parameter)
        if (entity && names.has(entity)) {
          throw new UnplacedError(
            `the parameter entity ${shorten(parameter)} refers to itself`,
            'entity-loop',
            'WFC: No Recursion',
          )
        }
        const content = entity && (yield* scanner.read(entity))
        if (!entity || !content) continue
        names.add(entity)
        open.push({ text: content.text, position: content.start, entity })
      }
    }
    return value
  } catch (error) {
    const offset = scanner.offsetOf(literal.position + place)
    throw error instanceof UnplacedError ? error.at(offset) : limitLength(error, `the entity ${shorten(name)}`, offset)
  }
}

/** What the references in values of attributes mean. */
export interface ValueEntities {
  /** The declaration of a general entity; undefined when it may be one that was not read. Throws an {@link UnplacedError}. */
  find(name: string): EntityDeclaration | undefined
  /** Called with the amount of text that an entity makes. Throws a `LimitError`. */
  count(units: number, name: string): void
}

/**
 * The value of an attribute, with references replaced and white space made blanks. Throws an {@link UnplacedError}, whose offset is the index of what is
 * wrong in the text.
 */
export function expandValue(text: string, entities: ValueEntities): string {
  let value = ''
  /** Where in the text the reference begins that is being read. */
  let place = 0
  const names = new Set<string>()
  const open: Open<EntityDeclaration>[] = [{ text, position: 0, entity: undefined }]
  try {
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const reference = top.text.indexOf('&', top.position)
      const at = reference === -1 ? top.text.length : reference
      const plain = top.text.slice(top.position, at)
      if (open.length === 1) place = at
      if (plain.includes('<')) {
        if (open.length === 1) place = top.position + plain.indexOf('<')
        throw makeLessThanFault(top.entity?.name)
      }
      value = concatText(value, plain.replace(/[\t\n\r]/g, ' '))
      top.position = at
      if (reference === -1) {
        open.pop()
        if (top.entity) names.delete(top.entity.name)
        continue
      }
      const name = readReference(top)
      const character = standsFor(name)
      if (character !== undefined) {
        value = concatText(value, character)
        continue
      }
      if (names.has(name)) {
        throw new UnplacedError(`the entity ${shorten(name)} refers to itself`, 'entity-loop', 'WFC: No Recursion')
      }
      const entity = entities.find(name)
      if (!entity) continue
      const replacement = requireText(entity)
      entities.count(replacement.length, name)
      names.add(name)
      open.push({ text: replacement, position: 0, entity })
    }
    return value
  } catch (error) {
    throw error instanceof UnplacedError ? error.at(place) : error
  }
}

function requireText({ name, text }: EntityDeclaration): string {
  if (text !== undefined) return text
  const message = `the external entity ${shorten(name)} must not be referenced in an attribute value`
  throw new UnplacedError(message, 'external-entity', 'WFC: No External Entity References')
}

/** For the text itself, or for that of an entity. */
function makeLessThanFault(entity: string | undefined): UnplacedError {
  const message =
    entity === undefined
      ? '"<" is not allowed in an attribute value'
      : `the entity ${shorten(entity)} contains "<", which is not allowed in an attribute value`
  return new UnplacedError(message, 'less-than-in-value', 'WFC: No < in Attribute Values')
}

/** Reads `&…;`: a name, or a number with its `#`. */
function readReference(open: Open<EntityDeclaration | ParameterEntity>): string {
  const end = open.text.indexOf(';', open.position)
  const reference = end === -1 ? '' : open.text.slice(open.position + 1, end)
  const isWellFormed = /^#(?:[0-9]+|x[0-9a-fA-F]+)$/.test(reference) || isName(reference)
  if (!isWellFormed) throw new UnplacedError(`expected a reference after "&"${inEntity(open)}`, 'reference')
  open.position = end + 1
  return reference
}

function readParameterReference(open: Open<ParameterEntity>): string {
  const end = open.text.indexOf(';', open.position)
  const name = end === -1 ? '' : open.text.slice(open.position + 1, end)
  if (!isName(name)) {
    throw new UnplacedError(`expected the name of a parameter entity and ";" after "%"${inEntity(open)}`, 'reference')
  }
  open.position = end + 1
  return name
}

function inEntity({ entity }: Open<EntityDeclaration | ParameterEntity>): string {
  return entity ? ` (in the entity ${shorten(entity.name)})` : ''
}

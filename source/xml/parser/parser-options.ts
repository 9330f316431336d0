// How a parser reads a document.

import type { EngineName } from '../../machine/run/engine.ts'
import type { MachineLimits } from '../../machine/run/limits.ts'
import type { EntityLimits } from '../doctype/entity-limits.ts'
import type { KnownEntities } from '../doctype/known-entities.ts'
import type { SkippedEntity } from '../doctype/skipped.ts'
import type { BoundaryFinder } from '../ranges/boundary-finder.ts'
import type { ToSource } from './consumer.ts'

/**
 * What is not `readonly` is known last. It is added to the object, not to a copy: V8 makes a new hidden class for each copy of an object that more is added to,
 * and small documents took twice the time.
 */
export interface XmlParserOptions {
  readonly namespaces: boolean
  readonly fragment: boolean
  readonly normalizeLineEnds: boolean
  /** Whether text of external entities can be had. */
  readonly resolves: boolean
  /** What references stand for that the document does not declare; undefined where that is an error. */
  readonly entities?: KnownEntities | undefined
  readonly machineLimits: MachineLimits
  readonly entityLimits: EntityLimits
  readonly engine?: EngineName | undefined
  /** The offset in the source of one in the UTF-8 that was made of it; undefined where they are the same. */
  toSource?: ToSource | undefined
  /** Finds where what is to be read ends; without it, that is the end of the document. */
  boundary?: BoundaryFinder | undefined
  /** Called for each reference that is left out. */
  onSkippedEntity?: ((entity: SkippedEntity) => void) | undefined
  /** Called for each malformed byte or character, which is then replaced; without this, it is an error. */
  onReplace?: ((offset: number) => void) | undefined
}

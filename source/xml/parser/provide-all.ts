// All that a document may need, for those who cannot wait for it to be loaded.

import * as plainEngine from '../../machine/run/plain-engine.ts'
import { doctypes } from '../doctype/doctypes.ts'
import * as reading from '../doctype/reading.ts'
import * as explaining from '../errors/explaining.ts'
import { explanations } from '../errors/explanations.ts'
import * as document from '../language/generated/document.ts'
import { programModules } from '../language/programs.ts'
import { plainEngines } from './plain-engines.ts'

/** From now on a document can be read without waiting. */
export function provideAll(): void {
  programModules.document.provide(document)
  plainEngines.provide(plainEngine)
  explanations.provide(explaining)
  doctypes.provide(reading)
}

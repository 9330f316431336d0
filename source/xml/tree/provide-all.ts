// All that a document may need, for those who cannot wait for it to be loaded. Names are imported one by one: where a module is used as an object, bundlers
// let its file import another, and no longer join those that are always loaded together.

import { GENERAL_KERNEL } from '../../machine/program/general-kernel.ts'
import { doctypes } from '../doctype/doctypes.ts'
import {
  DeclaredAttributes,
  DoctypeReader,
  declareKnown,
  expandValue,
  parseReplacement,
  readExternalText,
  SkippedEntities,
} from '../doctype/reading.ts'
import { explanations } from '../errors/explanations.ts'
import { explainFailure, getMessages, isMoreWanted, readFailedPart } from '../explanation/explaining.ts'
import { program } from '../language/generated/document.ts'
import { generalKernel } from '../language/kernels.ts'
import { programModules } from '../language/programs.ts'
import { makeTranscoder, OffsetMap } from '../text/transcoders.ts'
import { transcoding } from '../text/transcoding.ts'

/** From now on a document can be read without waiting. */
export function provideAll(): void {
  programModules.document.provide({ program })
  generalKernel.provide(GENERAL_KERNEL)
  explanations.provide({ explainFailure, getMessages, isMoreWanted, readFailedPart })
  doctypes.provide({
    DeclaredAttributes,
    declareKnown,
    DoctypeReader,
    expandValue,
    parseReplacement,
    readExternalText,
    SkippedEntities,
  })
  transcoding.provide({ makeTranscoder, OffsetMap })
}

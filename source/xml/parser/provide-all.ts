// All that a document may need, for those who cannot wait for it to be loaded.

import { GENERAL_KERNEL } from '../../machine/program/general-kernel.ts'
import { doctypes } from '../doctype/doctypes.ts'
import * as reading from '../doctype/reading.ts'
import * as explaining from '../errors/explaining.ts'
import { explanations } from '../errors/explanations.ts'
import * as document from '../language/generated/document.ts'
import { generalKernel } from '../language/kernels.ts'
import { programModules } from '../language/programs.ts'
import * as transcoders from '../text/transcoders.ts'
import { transcoding } from '../text/transcoding.ts'

/** From now on a document can be read without waiting. */
export function provideAll(): void {
  programModules.document.provide(document)
  generalKernel.provide(GENERAL_KERNEL)
  explanations.provide(explaining)
  doctypes.provide(reading)
  transcoding.provide(transcoders)
}

// What is fuzzed, in the order in which it is.

import type { Target } from '../target.ts'
import { archives } from './archives.ts'
import { grammarTexts } from './grammar-texts.ts'
import { grammarValues } from './grammar-values.ts'
import { grammars } from './grammars.ts'
import { growth } from './growth.ts'
import { inferences } from './inferences.ts'
import { plans } from './plans.ts'
import { readings } from './readings.ts'
import { xml } from './xml.ts'
import { xmlDocuments } from './xml-documents.ts'
import { xmlOptions } from './xml-options.ts'

export const TARGETS: readonly Target[] = [
  xml,
  xmlDocuments,
  xmlOptions,
  inferences,
  grammars,
  grammarValues,
  grammarTexts,
  archives,
  plans,
  readings,
  growth,
]

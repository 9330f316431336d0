// The programs for XML, and all that readings load when they need it: tests of the machine do not wait.

import { doctypes } from '../../source/xml/doctype/doctypes.ts'
import { explanations } from '../../source/xml/errors/explanations.ts'
import { kernels } from '../../source/xml/language/kernels.ts'
import { programModules } from '../../source/xml/language/programs.ts'

await Promise.all(
  [...Object.values(programModules), ...Object.values(kernels), doctypes, explanations].map((part) => part.load()),
)

export { kernels } from '../../source/xml/language/kernels.ts'
export { getProgram } from '../../source/xml/language/programs.ts'

// The programs for XML, and all that readings load when they need it: tests of the machine do not wait.

import { doctypes } from '../../source/xml/doctype/doctypes.ts'
import { explanations } from '../../source/xml/errors/explanations.ts'
import { programModules } from '../../source/xml/language/programs.ts'
import { plainEngines } from '../../source/xml/parser/plain-engines.ts'

await Promise.all([...Object.values(programModules), doctypes, explanations, plainEngines].map((part) => part.load()))

export { getProgram } from '../../source/xml/language/programs.ts'

// `xylem info`: what dumps are, from their first bytes.

import type { CommandEntry } from '../command.ts'
import { jobs } from '../options/option.ts'
import { INPUTS } from '../options/option-values.ts'

export const info: CommandEntry = {
  name: 'info',
  summary: 'describe dumps: wiki, format, size and estimated number of pages',
  arguments: [['<dump...>', `the dumps to describe: ${INPUTS}`]],
  options: [['--json', 'print one line of JSON for each dump'], jobs()],
  help: `
Prints the wiki, its namespaces, the format version, the compression and the size of dumps. From
the first 16 MiB of a dump, it estimates the number of pages and the size of the XML. A dump that
cannot be read does not keep the others from being described.

Examples:
  xylem info dump.xml.bz2
  xylem info 'dumps/*.bz2' --json`,
  load: async () => (await import('../actions/info.ts')).describeDumps,
}

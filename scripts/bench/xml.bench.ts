// XML: checks, events and records of large documents, side by side with other XML parsers for JavaScript and with libxml2 and expat.
//
// A measurement is a complete process, start included, that reads its file by streaming. Every string that an engine makes goes into a
// digest, and the digests of all engines must be equal. The engines take turns, so that all are measured at the same times.

import { resolve } from 'node:path'
import { MEBIBYTE } from './corpus.ts'
import { describeMachine, formatMachine } from './machine.ts'
import { parseCount, parseNumber, parseOptions, UsageError } from './options.ts'
import { writeRecord } from './report.ts'
import { engines } from './xml/engines.ts'
import { judge, tellFindings } from './xml/findings.ts'
import { type InputName, inputs } from './xml/inputs.ts'
import { formatTables } from './xml/results.ts'
import { Run, type Settings, USES } from './xml/run.ts'

const USAGE = `Usage: npm run bench -- xml [options]

Checks documents, reads all of their events, and reads their records, with several XML parsers.

  --size MB         size of the inputs (default 256), in MB of 2^20 bytes
  --large MB,…      sizes of the files for memory and the first record (default 256,1024), in MB of 2^20 bytes
  --inputs NAME,…   of ${Object.keys(inputs).join(', ')} (default all)
  --engines NAME;…  of ${Object.keys(engines).join('; ')} (default all)
  --uses NAME,…     of ${USES.join(', ')} (default all)
  --dump FILE       MediaWiki dump for the input dump (default: the small one among the fixtures); its pages are repeated
  --markup FILE     XML document for the input markup (default: a generated one); what its root holds is repeated
  --runs N          processes for each measurement (default 3)
  --json FILE       where the record goes (default build/bench/xml.json)
  --help            this text

Exit code 1: an answer was wrong, or a figure missed its mark.`

export async function run(args: string[]): Promise<number> {
  const values = parseOptions(args, {
    size: { type: 'string' },
    large: { type: 'string' },
    inputs: { type: 'string' },
    engines: { type: 'string' },
    uses: { type: 'string' },
    dump: { type: 'string' },
    markup: { type: 'string' },
    runs: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const large = (values.large ?? '256,1024').split(',').map((size) => parseCount('large', size, 0) * MEBIBYTE)
  return runAll({
    size: Math.round(parseNumber('size', values.size, 256, 0.1) * MEBIBYTE),
    large: large.sort((a, b) => a - b),
    inputs: parseNames('inputs', values.inputs, ',', Object.keys(inputs) as InputName[]),
    engines: parseNames('engines', values.engines, ';', Object.keys(engines)),
    uses: parseNames('uses', values.uses, ',', USES),
    files: { dump: values.dump && resolve(values.dump), markup: values.markup && resolve(values.markup) },
    runs: parseCount('runs', values.runs, 3),
    json: values.json ?? 'build/bench/xml.json',
  })
}

function parseNames<Name extends string>(
  option: string,
  text: string | undefined,
  separator: string,
  known: readonly Name[],
): readonly Name[] {
  if (text === undefined) return known
  return text.split(separator).map((part) => {
    const name = known.find((other) => other === part.trim())
    if (name) return name
    throw new UsageError(`--${option} must be of ${known.join(`${separator} `)}, not '${part}'`)
  })
}

async function runAll({ json, ...settings }: Settings & { readonly json: string }): Promise<number> {
  const date = new Date().toISOString()
  const machine = describeMachine()
  console.log(`${date}\n${formatMachine(machine)}\n`)
  const results = await new Run(settings).measureAll()
  const findings = judge(results)
  console.log(`${formatTables(results)}\n\n${tellFindings(findings).join('\n')}`)
  await writeRecord(resolve(json), { benchmark: 'xml', date, machine, size: settings.size, ...results, findings })
  console.log(`\nRecord: ${json}`)
  for (const fault of findings.faults) console.error(`bench: ${fault}`)
  return findings.faults.length > 0 || findings.figures.some(({ isMet }) => !isMet) ? 1 : 0
}

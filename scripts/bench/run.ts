// npm run bench: finds the benchmarks beside this file and runs one by its name.
//
// A benchmark is a file `<name>.bench.ts` that exports `description`, a line for the list, and `run`, which takes the arguments
// behind the name and gives the exit code: 0, or 1 when an answer was wrong or a promise was not kept.

import { readdir } from 'node:fs/promises'
import { UsageError } from './options.ts'

interface Benchmark {
  readonly description: string
  run(args: string[]): Promise<number>
}

const SUFFIX = '.bench.ts'

async function main([name, ...args]: string[]): Promise<number> {
  const names = await findBenchmarks()
  if (name === undefined || name === '--help' || name === '-h') {
    console.log(await describeUsage(names))
    return 0
  }
  if (!names.includes(name)) {
    throw new UsageError(`there is no benchmark '${name}' (there are: ${names.join(', ')})`)
  }
  const benchmark = await load(name)
  return benchmark.run(args)
}

async function findBenchmarks(): Promise<string[]> {
  const files = await readdir(new URL('.', import.meta.url))
  return files
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))
    .sort()
}

async function load(name: string): Promise<Benchmark> {
  return (await import(new URL(name + SUFFIX, import.meta.url).href)) as Benchmark
}

async function describeUsage(names: string[]): Promise<string> {
  const width = Math.max(...names.map((name) => name.length))
  const lines = names.map(async (name) => `  ${name.padEnd(width)}  ${(await load(name)).description}`)
  return [
    'Usage: npm run bench -- <benchmark> [options]',
    '',
    'Benchmarks:',
    ...(await Promise.all(lines)),
    '',
    'npm run bench -- <benchmark> --help tells its options. The built package is measured: run npm run build before.',
  ].join('\n')
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`bench: ${error.message}`)
  process.exitCode = 2
}

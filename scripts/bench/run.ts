// npm run bench: finds the benchmarks beside this file and runs one by its name.
//
// A benchmark is a file `<name>.bench.ts` that exports `run`, which takes the arguments after the name and gives the exit code:
// 0, or 1 when an answer was wrong or a figure missed its mark. The first line of its head comment is its line in the list.

import { readdir, readFile } from 'node:fs/promises'
import { UsageError } from './options.ts'

interface Benchmark {
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
  try {
    return (await import(locate(name).href)) as Benchmark
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !/[\\/]dist[\\/]/.test(message)) throw error
    throw new UsageError('the built package is measured, and it is not there: run npm run build')
  }
}

function locate(name: string): URL {
  return new URL(name + SUFFIX, import.meta.url)
}

/** Read and not imported: a benchmark imports the package, and the list must not need it. */
async function describe(name: string): Promise<string> {
  const [head = ''] = (await readFile(locate(name), 'utf8')).split('\n', 1)
  return head.replace(/^\/\/ */, '')
}

async function describeUsage(names: string[]): Promise<string> {
  const width = Math.max(...names.map((name) => name.length))
  const lines = names.map(async (name) => `  ${name.padEnd(width)}  ${await describe(name)}`)
  return [
    'Usage: npm run bench -- <benchmark> [options]',
    '',
    'Benchmarks:',
    ...(await Promise.all(lines)),
    '',
    'npm run bench -- <benchmark> --help tells its options. The built package is measured: npm run build goes before.',
  ].join('\n')
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`bench: ${error.message}`)
  process.exitCode = 2
}

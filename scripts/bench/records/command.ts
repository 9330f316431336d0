// A command of a build, as it is measured.

import { resolve } from 'node:path'
import { type Command, inspect, type Timing, time } from '../dump/measure.ts'

/** Runs a command of a build whose output nobody reads. Throws when it is killed, or used wrongly. */
export async function timeCommand(build: string, args: readonly string[]): Promise<Timing> {
  return await time(commandOf(build, args))
}

/** A digest of what a command prints. */
export async function hashCommand(build: string, args: readonly string[]): Promise<string> {
  const { hash } = await inspect(commandOf(build, args))
  return hash
}

/** With 1, a command has answered: `--verify` has found differences. */
function commandOf(build: string, args: readonly string[]): Command {
  const name = `xylem ${args.join(' ')}`
  return { name, file: process.execPath, args: [resolve(build, 'cli/main.js'), ...args], exitCodes: [0, 1] }
}

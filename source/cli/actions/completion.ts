// What `xylem completion` does: prints the script for a shell.

import type { CommandEntry } from '../command.ts'
import { writeBash } from '../completion/bash.ts'
import { writeFish } from '../completion/fish.ts'
import { describeCommands } from '../completion/words.ts'
import { writeZsh } from '../completion/zsh.ts'
import { openOutput } from '../output/output.ts'

const SHELLS = { bash: writeBash, zsh: writeZsh, fish: writeFish }

export async function printCompletion(
  commands: readonly CommandEntry[],
  shell: keyof typeof SHELLS,
  _options: object,
  signal: AbortSignal,
): Promise<void> {
  const output = await openOutput(undefined, undefined, signal)
  await output.write(SHELLS[shell](describeCommands(commands)))
}

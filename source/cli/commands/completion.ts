// `xylem completion`: what lets a shell complete commands and options.

import type { CommandEntry } from '../command.ts'
import { oneOf } from '../options/option-values.ts'

/** `commands` gives the table that this command is in. */
export function completion(commands: () => readonly CommandEntry[]): CommandEntry {
  return {
    name: 'completion',
    summary: 'print a script that lets a shell complete commands and options',
    arguments: [['<shell>', 'bash, zsh or fish', oneOf('bash', 'zsh', 'fish')]],
    options: [],
    help: `
Prints a script for a shell. Then the Tab key completes commands, their options, and the words that
options can be, such as formats; and the names of files otherwise.

Examples:
  source <(xylem completion bash)
  source <(xylem completion zsh)
  xylem completion fish | source
  xylem completion bash > ~/.local/share/bash-completion/completions/xylem
  xylem completion zsh > ~/.zfunc/_xylem
  xylem completion fish > ~/.config/fish/completions/xylem.fish`,
    load: async () => {
      const { printCompletion } = await import('../actions/completion.ts')
      return printCompletion.bind(undefined, commands())
    },
  }
}

// The script for zsh, with the descriptions of commands and options.

import { quote } from '../terminal/word-list.ts'
import { type CommandWords, flagsOf, type OptionWords, PROGRAM_OPTIONS } from './words.ts'

/** A script that works as a file of `fpath`, and when it is sourced. */
export function writeZsh(commands: readonly CommandWords[]): string {
  const descriptions = commands.map(({ name, summary }) => `    ${quote(`${name}:${escapeText(summary)}`)}`)
  return `#compdef xylem
# zsh completion for xylem. Made by: xylem completion zsh
_xylem() {
  local curcontext="$curcontext" state line
  local -a commands=(
${descriptions.join('\n')}
  )
  _arguments -C${PROGRAM_OPTIONS.flatMap(specify).join('')} '1: :->command' '*:: :->rest'
  case $state in
    command) _describe -t commands 'command of xylem' commands ;;
    rest)
      case $line[1] in
${commands.map(commandCase).join('\n')}
      esac
      ;;
  esac
}
if [[ $funcstack[1] == _xylem ]]; then
  _xylem "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _xylem xylem
fi
`
}

function commandCase({ name, options, words }: CommandWords): string {
  const rest = words.length > 0 ? `1: :(${words.join(' ')})` : '*: :_files'
  const lines = [...options.flatMap(specify), ` ${quote(rest)}`].join(' \\\n         ')
  return `        ${name})
          _arguments${lines}
          ;;`
}

/** An option as words for `_arguments`: its flags exclude each other, and values may also follow an equals sign. */
function specify(option: OptionWords): string[] {
  const { value, summary, words } = option
  const flags = flagsOf(option)
  const action = words.length > 0 ? `(${words.join(' ')})` : '_files'
  const wanted = value === undefined ? '' : `:${escapeText(value)}:${action}`
  const exclusion = value === undefined ? `(${flags.join(' ')})` : '*'
  return flags.map((flag) => {
    const takes = value === undefined ? '' : flag.startsWith('--') ? '=' : '+'
    return ` ${quote(`${exclusion}${flag}${takes}[${escapeText(summary)}]${wanted}`)}`
  })
}

/** Brackets and colons end what they stand in. */
function escapeText(text: string): string {
  return text.replace(/[[\]:\\]/g, '\\$&')
}

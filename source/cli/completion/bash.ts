// The script for bash. It runs in bash 3.2 as well, which macOS has.

import { quote } from '../terminal/word-list.ts'
import { type CommandWords, flagsOf, PROGRAM_OPTIONS } from './words.ts'

/** A script that defines the function `_xylem`, and lets it complete `xylem`. Where it finds nothing, bash completes files. */
export function writeBash(commands: readonly CommandWords[]): string {
  const names = commands.map(({ name }) => name)
  return `# bash completion for xylem. Made by: xylem completion bash
_xylem() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= words= i
  COMPREPLY=()
  # Bash cuts --format=csv into three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} != -* ]]; then
      command=\${COMP_WORDS[i]}
      break
    fi
  done
  case "$command $previous" in
${commands.flatMap(valueCases).join('\n')}
    *)
      case "$command $current" in
        ' -'*) words=${quote(PROGRAM_OPTIONS.flatMap(flagsOf).join(' '))} ;;
        ' '*) words=${quote(names.join(' '))} ;;
${commands.flatMap(wordCases).join('\n')}
      esac
      ;;
  esac
  [[ -z $words ]] || COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _xylem xylem
`
}

/** What an option may be that stands before. */
function valueCases({ name, options }: CommandWords): string[] {
  return options.flatMap((option) => {
    if (option.value === undefined) return []
    const patterns = flagsOf(option).map((flag) => quote(`${name} ${flag}`))
    return `    ${patterns.join(' | ')}) words=${quote(option.words.join(' '))} ;;`
  })
}

/** The options of a command, and what its arguments may be. */
function wordCases({ name, options, words }: CommandWords): string[] {
  const cases = [`        ${quote(`${name} -`)}*) words=${quote(options.flatMap(flagsOf).join(' '))} ;;`]
  if (words.length > 0) cases.push(`        ${quote(`${name} `)}*) words=${quote(words.join(' '))} ;;`)
  return cases
}

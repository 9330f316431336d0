// The script for fish, with the descriptions of commands and options.

import { type CommandWords, type OptionWords, PROGRAM_OPTIONS } from './words.ts'

/** A script of `complete` commands. Where none of them applies, fish completes files. */
export function writeFish(commands: readonly CommandWords[]): string {
  return `# fish completion for xylem. Made by: xylem completion fish
# Whether the command is the one that is named; without a name, whether none is there yet.
function __xylem_is
    set -l words (commandline -opc)
    for word in $words[2..-1]
        string match -q -- '-*' $word
        or begin
            contains -- $word $argv
            return
        end
    end
    test (count $argv) -eq 0
end
complete -c xylem -e
complete -c xylem -n __xylem_is -f
${[...PROGRAM_OPTIONS.map((option) => specify('__xylem_is', option)), ...commands.flatMap(describeCommand)].join('\n')}
`
}

function describeCommand({ name, summary, options, words }: CommandWords): string[] {
  const condition = quote(`__xylem_is ${name}`)
  return [
    `complete -c xylem -n __xylem_is -a ${name} -d ${quote(summary)}`,
    ...(words.length > 0 ? [`complete -c xylem -n ${condition} -f -a ${quote(words.join(' '))}`] : []),
    ...options.map((option) => specify(condition, option)),
  ]
}

function specify(condition: string, { short, long, value, summary, words }: OptionWords): string {
  const flags = `${short === undefined ? '' : `-s ${short.slice(1)} `}-l ${long.slice(2)}`
  const takes = words.length > 0 ? ` -x -a ${quote(words.join(' '))}` : value === undefined ? '' : ' -r'
  return `complete -c xylem -n ${condition} ${flags}${takes} -d ${quote(summary)}`
}

/** A text as one word of fish, where a backslash stands for itself unless a quote or another follows. */
function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

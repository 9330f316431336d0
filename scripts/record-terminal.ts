// Writes docs/terminal.svg, the picture of a terminal in the README: runs the commands below, and draws what they print.
//
//   npm run build && npx tsx scripts/record-terminal.ts

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { drawTerminal, type Recording } from './pictures/terminal.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const COMMANDS = [
  'npx xylem pages fixtures/mediawiki/small-dump.xml.bz2 --fields id,title,revision.timestamp --limit 3',
  'npx xylem get fixtures/mediawiki/small-dump.xml.bz2 --title Wood --text',
  'npx xylem select entry fixtures/recipes/feed.atom --field title --field author=author/name',
  "echo '<tree><leaf>green</laef></tree>' | npx xylem check -",
]

/** Runs the commands as they were built. */
export function recordTerminal(): string {
  return drawTerminal(COMMANDS.map(record), 'xylem prints pages of a dump, entries of a feed, and an error in XML')
}

function record(command: string): Recording {
  const main = `${root}dist/cli/main.js`
  const built = command.replace('npx xylem', `"${process.execPath}" "${main}"`)
  const { stdout, stderr, status } = spawnSync('sh', ['-c', built], { cwd: root, encoding: 'utf8' })
  return { command, output: (stdout + stderr).trimEnd().split('\n'), hasFailed: status !== 0 }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(`${root}docs/terminal.svg`, recordTerminal())

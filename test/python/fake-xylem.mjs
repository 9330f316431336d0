// Stands in for xylem, and does what a file says: the last argument. MARK in its messages is the mark of the parent.

import { readFileSync, writeSync } from 'node:fs'

const {
  stdout = '',
  stderr = '',
  exitCode = 0,
  signal,
  stays = false,
} = JSON.parse(readFileSync(process.argv.at(-1), 'utf8'))

function write(fd, bytes) {
  for (let rest = Buffer.from(bytes); rest.length > 0; ) rest = rest.subarray(writeSync(fd, rest))
}

write(1, Buffer.from(stdout, 'base64'))
write(2, stderr.replaceAll('MARK', process.env.XYLEM_TRAILER))
if (signal) process.kill(process.pid, signal)
process.exitCode = exitCode
if (stays) process.stdin.on('data', () => {}).on('end', () => process.exit())

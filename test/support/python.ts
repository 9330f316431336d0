// Python, which reads XML, bzip2 and gzip without anything of ours, where it is installed.

import { execFileSync } from 'node:child_process'

/** Whether Python 3 is here, with the modules of its library that tests use. */
export function findPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import bz2, gzip, xml.etree.ElementTree'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

// Python, which reads XML, bzip2 and gzip without anything of ours, where it is installed.

import { execFileSync } from 'node:child_process'
import { isThorough } from './extent.ts'

/** Whether to compare with Python 3: in `npm run test:all`, where it is here with the modules of its library that tests use. */
export function findPython(): boolean {
  if (!isThorough) return false
  try {
    execFileSync('python3', ['-c', 'import bz2, gzip, xml.etree.ElementTree'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

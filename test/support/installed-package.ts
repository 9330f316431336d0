// The package as its users get it: packed, and unpacked into the node_modules of another folder.

import { type ExecFileSyncOptions, execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './markdown.ts'

export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>
  dependencies: Record<string, string>
}

interface Packed {
  readonly tarball: Uint8Array
  /** The paths of its files, in the package. */
  readonly files: readonly string[]
}

/** Packing takes seconds: all tests of a process share what was packed, also where modules are loaded anew. */
const shared = globalThis as { xylemPacked?: Packed }

function pack(): Packed {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-packed-'))
  try {
    // dist/ is built before the tests: packing must not build it again under the feet of those that run it.
    const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
    const list = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }))
    const [result] = Object.values(list) as { filename: string; files: { path: string }[] }[]
    if (!result) throw new Error('npm pack has packed nothing')
    return { tarball: readFileSync(join(folder, result.filename)), files: result.files.map((file) => file.path) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export class InstalledPackage {
  /** Where its user works. Programs here import it by its published names. */
  readonly folder = mkdtempSync(join(tmpdir(), 'xylem-package-'))
  /** The paths of its files, in the package. */
  readonly files: readonly string[]

  /** `linked`: modules of the project that can be imported too. */
  constructor(linked: readonly string[] = []) {
    shared.xylemPacked ??= pack()
    const { files, tarball } = shared.xylemPacked
    this.files = files
    const target = join(this.folder, 'node_modules', 'xylem')
    mkdirSync(target, { recursive: true })
    execFileSync('tar', ['-xz', '-C', target, '--strip-components=1'], { input: tarball })
    for (const name of [...Object.keys(manifest.dependencies), ...linked]) this.#link(name)
    this.write('package.json', '{ "type": "module" }')
  }

  remove(): void {
    rmSync(this.folder, { recursive: true })
  }

  #link(name: string): void {
    const place = join(this.folder, 'node_modules', name)
    mkdirSync(join(place, '..'), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), place)
  }

  /** Writes a file of the user's, and returns its path. */
  write(name: string, content: string): string {
    const path = join(this.folder, name)
    writeFileSync(path, content)
    return path
  }

  read(path: string): string {
    return readFileSync(join(this.folder, 'node_modules', 'xylem', path), 'utf8')
  }

  /** What a command prints. Throws if it fails. */
  run(command: string, args: readonly string[], options: ExecFileSyncOptions = {}): string {
    const settings = {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'] as const,
      ...options,
      encoding: 'utf8' as const,
    }
    return execFileSync(command, args, settings as ExecFileSyncOptions & { encoding: 'utf8' })
  }

  /** What a program prints that is a module. Throws if it fails. */
  runModule(program: string): string {
    return this.run(process.execPath, ['--input-type=module', '-e', program])
  }

  /** What Node prints as an error, and its exit code. */
  fail(...args: string[]): { status: number | null; stderr: string } {
    return spawnSync(process.execPath, args, { cwd: this.folder, encoding: 'utf8' })
  }
}

/** The name by which a path of the package is imported. */
export function specifier(path: string): string {
  return path.replace(/^\./, 'xylem')
}

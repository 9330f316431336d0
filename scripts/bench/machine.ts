// What a record says about the machine: what explains its figures, and nothing that names the machine or its user.

import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os'

export interface Machine {
  readonly node: string
  readonly v8: string
  readonly platform: string
  readonly cpu: string
  readonly cores: number
  /** In GiB. */
  readonly memory: number
}

export function describeMachine(): Machine {
  return {
    node: process.versions.node,
    v8: process.versions.v8,
    // The release without the suffix of a distribution or a cloud.
    platform: `${platform()} ${release().replace(/[^\d.].*/, '')} ${arch()}`,
    cpu: cpus()[0]?.model.trim() || 'unknown',
    cores: availableParallelism(),
    memory: Math.round(totalmem() / 2 ** 30),
  }
}

/** In one line. */
export function formatMachine({ node, v8, platform, cpu, cores, memory }: Machine): string {
  return `Node ${node} (V8 ${v8}), ${platform}, ${cpu}, ${cores} cores, ${memory} GiB`
}

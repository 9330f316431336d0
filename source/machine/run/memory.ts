// The memory of one machine: which region is where, and making room.

import type { Program } from '../program/program.ts'
import {
  NAME_SIZE,
  PROGRAM,
  REGISTER_COUNT,
  REGISTERS,
  Register,
  ROLES,
  RUN_COUNT,
  RUN_SIZE,
} from '../program/registers.ts'
import type { Engine } from './engine.ts'

/**
 * Regions that can grow: the register that holds their address; the next one holds their size in bytes. In the order in which they lie. The window is
 * last: it is the one that grows most, and then moves nothing.
 */
const REGIONS = {
  runs: Register.RUNS,
  stack: Register.STACK,
  saves: Register.SAVES,
  log: Register.LOG,
  symbols: Register.SYMBOLS,
  names: Register.NAMES,
  hashes: Register.HASHES,
  nameBytes: Register.NAME_BYTES,
  projection: Register.PROJECTION,
  transcript: Register.TRANSCRIPT,
  tape: Register.TAPE,
  window: Register.WINDOW,
} as const satisfies Record<string, number>

export type RegionName = keyof typeof REGIONS

/** Sizes to begin with: small parses fit, and larger ones grow. */
const FIRST_SIZES: Record<RegionName, number> = {
  runs: 0,
  stack: 16 * 1024,
  saves: 16 * 1024,
  log: 4096,
  symbols: 0,
  names: 0,
  hashes: 0,
  nameBytes: 0,
  projection: 0,
  transcript: 0,
  tape: 256 * 1024,
  window: 64 * 1024,
}
const SYMBOL_SIZES = { log: 64 * 1024, symbols: 4096, names: 1024 * NAME_SIZE, hashes: 8192, nameBytes: 16 * 1024 }
/** Where a part of the program is compiled. */
const RUNS_SIZE = (RUN_COUNT + 2) * RUN_SIZE

/** Where the state of the machine ends that lies before its program. */
const OWN = ROLES + 256
/** Bytes after the end of the window that may be read, and are ignored. */
const SLACK = 64
const ALIGNMENT = 16

/** Lays out an engine's memory. Its views are to be fetched again after anything here was called. */
export class MachineMemory {
  #engine: Engine
  #bytes: Uint8Array
  #words: Uint32Array
  /**
   * What nobody can know who prepares names that collide. A number for secrets would be no better, and costs a fifth of the time of a first
   * document: Node loads its cryptography for that.
   */
  readonly #seed = Math.floor(Math.random() * 2 ** 32)
  /** Bytes that each region has; in the registers stands what may be used of them. */
  readonly #capacities: Record<RegionName, number> = { ...FIRST_SIZES }

  constructor(engine: Engine) {
    this.#engine = engine
    this.#bytes = new Uint8Array(engine.buffer)
    this.#words = new Uint32Array(engine.buffer)
  }

  get engine(): Engine {
    return this.#engine
  }

  get bytes(): Uint8Array {
    return this.#bytes
  }

  get words(): Uint32Array {
    return this.#words
  }

  /** Bytes of memory in all. */
  get length(): number {
    return this.#bytes.length
  }

  get(register: number): number {
    return this.#words[REGISTERS / 4 + register] as number
  }

  set(register: number, value: number): void {
    this.#words[REGISTERS / 4 + register] = value
  }

  address(region: RegionName): number {
    return this.get(REGIONS[region])
  }

  size(region: RegionName): number {
    return this.get(REGIONS[region] + 1)
  }

  /** Clears all state, loads the program, and lays out the regions, none smaller than it was. */
  load(program: Program): void {
    const sizes = this.#capacities
    const least: Partial<Record<RegionName, number>> = {
      ...(program.usesSymbols ? SYMBOL_SIZES : {}),
      ...(this.engine.kernel?.isCompiled ? { runs: RUNS_SIZE } : {}),
    }
    const { code, data } = program
    const dataAddress = align(PROGRAM + 4 * code.length)
    let next = align(dataAddress + data.length)
    const addresses = new Map<RegionName, number>()
    for (const region of regionNames()) {
      sizes[region] = Math.max(sizes[region], least[region] ?? 0)
      addresses.set(region, next)
      next = align(next + sizes[region])
    }
    this.#reach(next + SLACK)
    this.#bytes.fill(0, REGISTERS, REGISTERS + 4 * REGISTER_COUNT)
    this.#words.set(code, PROGRAM / 4)
    this.#bytes.set(data, dataAddress)
    this.set(Register.CODE, PROGRAM)
    this.set(Register.DATA, dataAddress)
    for (const [region, address] of addresses) {
      this.set(REGIONS[region], address)
      this.set(REGIONS[region] + 1, sizes[region])
    }
    this.set(Register.SEED, this.#seed)
    this.forgetNames()
  }

  /** Says what the records of each type are. */
  setRoles(roles: Uint8Array): void {
    this.#bytes.set(roles, ROLES)
  }

  /** Lets no more than `most` bytes of a region be used, or all that it has. */
  limit(region: RegionName, most: number): void {
    this.set(REGIONS[region] + 1, Math.min(this.#capacities[region], most))
  }

  /** Forgets all names, and the runs of tags that have them. */
  forgetNames(): void {
    const address = this.get(Register.HASHES)
    this.#bytes.fill(0, address, address + this.size('hashes'))
    this.#forgetRuns()
    this.set(Register.NAME_COUNT, 0)
    this.set(Register.NAME_BYTES_USED, 0)
  }

  #forgetRuns(): void {
    const runs = this.get(Register.RUNS)
    this.#bytes.fill(0, runs, runs + Math.min(RUN_SIZE, this.size('runs')))
  }

  /** Enlarges a region that is used to its end, keeping what is in it. Throws a `RangeError` when there is no memory. */
  enlarge(region: RegionName, size: number): void {
    const names = regionNames()
    const index = names.indexOf(region)
    const later = names.slice(index + 1)
    let next = align(this.get(REGIONS[region]) + size)
    const addresses = later.map((name) => {
      const address = next
      next = align(next + this.#capacities[name])
      return address
    })
    this.#reach(next + SLACK)
    this.#capacities[region] = size
    this.set(REGIONS[region] + 1, size)
    for (let i = later.length - 1; i >= 0; i--) {
      const name = later[i] as RegionName
      const from = this.get(REGIONS[name])
      this.#bytes.copyWithin(addresses[i] as number, from, from + this.#capacities[name])
      this.set(REGIONS[name], addresses[i] as number)
    }
  }

  /** Lets another engine continue with all that is in the memory. Throws a `RangeError` when there is no memory. */
  moveTo(engine: Engine): void {
    const from = this.#bytes
    engine.grow(from.length)
    this.#engine = engine
    this.#view()
    // What lies before the registers, and between them and the program, is the engine's own.
    this.#bytes.set(from.subarray(REGISTERS, OWN), REGISTERS)
    this.#bytes.set(from.subarray(PROGRAM), PROGRAM)
    if (!engine.kernel?.isCompiled || this.#capacities.runs >= RUNS_SIZE) return
    this.enlarge('runs', RUNS_SIZE)
    this.#forgetRuns()
  }

  #reach(length: number): void {
    if (length <= this.#bytes.length) return
    this.engine.grow(length)
    this.#view()
  }

  #view(): void {
    this.#bytes = new Uint8Array(this.engine.buffer)
    this.#words = new Uint32Array(this.engine.buffer)
  }
}

function regionNames(): RegionName[] {
  return Object.keys(REGIONS) as RegionName[]
}

export function align(address: number): number {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT
}

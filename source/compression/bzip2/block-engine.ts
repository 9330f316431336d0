// Where blocks are decoded: on this thread, or by workers (block-pool.ts).

import { breathe } from '../../async/breathe.ts'
import { LANES, makeBlockDecoder } from './block-decoder.ts'
import { BlockGroup, type BlockResult, type CompressedBlock, type MorePieces } from './block-group.ts'

/** A group of blocks that is being decoded, or was. */
export interface DecodedGroup {
  /** To be asked for in the order of the groups. */
  results(): Promise<readonly BlockResult[]>
  /** More of a block that was not complete, by its place in the group. To be asked for in order, and before the next group is decoded. */
  more(index: number): Promise<MorePieces>
  /** Nothing more will be asked for. */
  release(): void
}

export interface BlockEngine {
  /** How many groups are worth having in flight, and how many blocks in each. */
  readonly groups: number
  readonly groupSize: number
  /** How many of them are decoded at the same time. */
  readonly threads: number
  decode(blocks: readonly CompressedBlock[]): DecodedGroup
  close(): void
}

/** Decodes on this thread, one group after the other, letting the event loop turn. */
export class LocalEngine implements BlockEngine {
  readonly groups = 1
  readonly threads = 1
  readonly groupSize = LANES
  #group: Promise<BlockGroup> | undefined
  /** The decoder holds one group, until that is decoded and released. */
  #free: Promise<void> = Promise.resolve()

  decode(blocks: readonly CompressedBlock[]): DecodedGroup {
    this.#group ??= makeBlockDecoder().then((decoder) => new BlockGroup(decoder))
    const group = this.#group
    const results = this.#free.then(async () => runSteps((await group).decode(blocks)))
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    this.#free = results.then(
      () => released,
      () => released,
    )
    return { results: () => results, more: async (index) => (await group).more(index), release }
  }

  close(): void {}
}

async function runSteps<Result>(steps: Generator<void, Result, undefined>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    const turn = breathe()
    if (turn) await turn
  }
}

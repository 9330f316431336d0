// What runs in a worker: decodes the groups of blocks that it is sent. It is started by block-pool.ts, and what must change together
// are the messages.

import { findPort } from '../../async/worker-port.ts'
import { READY } from '../../async/worker-script.ts'
import { makeKernelDecoder } from './block-decoder.ts'
import { BlockGroup, type BlockResult, type CompressedBlock, type MorePieces } from './block-group.ts'

/**
 * A message to a worker: to decode a group, to continue with a block of it that was not complete, or that nothing more is wanted of the
 * group. Groups may be sent ahead: one begins when the one before is complete or not wanted any more.
 */
export type BlockRequest = { blocks: readonly CompressedBlock[] } | { more: number } | { release: true }

/** What it answers, in the order in which it was asked. */
export type BlockAnswer = { results: readonly BlockResult[] } | MorePieces

const port = findPort<BlockRequest, BlockAnswer>()
const decoder = makeKernelDecoder()
// The twin is not part of the script, which all would fetch for the few that need it. A worker that fails is done without.
if (!decoder) throw new Error('WebAssembly is refused')
const group = new BlockGroup(decoder)
const ahead: (readonly CompressedBlock[])[] = []
/** Whether the decoder holds blocks that are not complete. */
let isHeld = false

port.onmessage = ({ data }) => {
  if ('more' in data) {
    const answer = group.more(data.more)
    port.postMessage(answer, buffersOf(answer.pieces))
    return
  }
  if ('release' in data) isHeld = false
  else ahead.push(data.blocks)
  while (!isHeld) {
    const blocks = ahead.shift()
    if (!blocks) break
    decode(blocks)
  }
}

port.postMessage(READY, [])

function decode(blocks: readonly CompressedBlock[]): void {
  const steps = group.decode(blocks)
  let step = steps.next()
  while (!step.done) step = steps.next()
  const results = step.value
  isHeld = results.some(({ isComplete }) => !isComplete)
  port.postMessage({ results }, buffersOf(results.flatMap(({ pieces }) => pieces)))
}

function buffersOf(pieces: readonly Uint8Array[]): ArrayBuffer[] {
  return pieces.map(({ buffer }) => buffer as ArrayBuffer)
}

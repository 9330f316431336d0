// Measures partial trees from a source: when they come, and what is kept meanwhile. Only our engine has them.

import { setTimeout as sleep } from 'node:timers/promises'
import { Grammar } from '../../../source/grammar/index.ts'
import { FileSource } from '../../../source/node.ts'
import { Digest } from './digest.ts'
import type { Language } from './engine.ts'
import type { FirstNodeSample, StreamSample } from './job.ts'
import { feedNode, readGrammar } from './xylem.ts'

/** A node that takes longer waits for something that never comes. In ms. */
const LONGEST_WAIT = 2000
/** Bytes that a slow source gives at a time. */
const PIECE = 16

/** `text` ends with the first node of the rule `emit`, and with what makes it certain. */
export async function measureFirstNode(
  language: Language,
  emit: string,
  text: string,
  runs: number,
): Promise<FirstNodeSample[]> {
  const grammar = Grammar.from(readGrammar(language))
  const samples: FirstNodeSample[] = []
  for (let run = 0; run < runs; run++) samples.push(await waitForNode(grammar, emit, Buffer.from(text)))
  return samples
}

async function waitForNode(grammar: Grammar, emit: string, bytes: Uint8Array): Promise<FirstNodeSample> {
  let lastByteAt = Number.NaN
  const over = new AbortController()
  async function* stall(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let start = 0; start < bytes.length; start += PIECE) {
      await sleep(1)
      lastByteAt = performance.now()
      yield bytes.slice(start, start + PIECE)
    }
    await sleep(LONGEST_WAIT, undefined, { signal: over.signal }).catch(() => {})
  }
  try {
    for await (const _ of grammar.stream(stall(), { emit })) {
      const wait = performance.now() - lastByteAt
      return wait < LONGEST_WAIT ? { wait } : {}
    }
  } catch {
    // The source has ended, and with it the input, in the middle of the root.
  } finally {
    over.abort()
  }
  return {}
}

/** Every string of every node is read. */
export async function measurePartialTrees(
  language: Language,
  emit: string,
  file: string,
  runs: number,
): Promise<StreamSample[]> {
  const grammar = Grammar.from(readGrammar(language))
  const samples: StreamSample[] = []
  for (let run = 0; run < runs; run++) {
    const source = new FileSource(file)
    const digest = new Digest()
    let nodes = 0
    const start = performance.now()
    for await (const batch of grammar.stream(source, { emit }).batches()) {
      nodes += batch.length
      for (const node of batch) feedNode(node, digest)
    }
    const seconds = (performance.now() - start) / 1000
    samples.push({ seconds, bytes: source.progress.bytesRead, nodes, digest: digest.result })
  }
  return samples
}

/** The same file by the same source, and nothing done with it. */
export async function measureBareReading(file: string, runs: number): Promise<StreamSample[]> {
  const samples: StreamSample[] = []
  for (let run = 0; run < runs; run++) {
    let bytes = 0
    const start = performance.now()
    for await (const chunk of new FileSource(file)) bytes += chunk.length
    samples.push({ seconds: (performance.now() - start) / 1000, bytes, nodes: 0, digest: new Digest().result })
  }
  return samples
}

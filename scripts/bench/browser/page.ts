// Runs in the page: tasks that are asked for by their index.

import { type Answer, type Document, tasks } from './tasks.ts'

/** What a run took, in milliseconds, and what it found. */
export interface Run {
  readonly milliseconds: number
  readonly answer: Answer
}

declare global {
  interface Window {
    runTask(index: number, isInMemory: boolean, address: string): Promise<Run>
  }
}

let saxWasm: Uint8Array | undefined
const inMemory = new Map<string, Uint8Array<ArrayBuffer>>()

async function fetchBytes(address: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await fetch(address)).arrayBuffer())
}

window.runTask = async (index, isInMemory, address) => {
  const task = tasks[index]
  if (!task) throw new Error(`there is no task ${index}`)
  saxWasm ??= await fetchBytes('/sax-wasm.wasm')
  let document: Document | undefined = inMemory.get(address)
  if (isInMemory && !document) {
    document = await fetchBytes(address)
    inMemory.set(address, document)
  }
  const start = performance.now()
  const { body } = isInMemory ? { body: undefined } : await fetch(address)
  const answer = await task.run((isInMemory ? document : body) as Document, saxWasm)
  return { milliseconds: performance.now() - start, answer }
}

// Runs in the page: tasks that are asked for by their index.

import { fetchBody, measure, type Run } from './measure.ts'
import { tasks } from './tasks.ts'

declare global {
  interface Window {
    runTask(index: number, isInMemory: boolean, address: string): Promise<Run>
  }
}

window.runTask = async (index, isInMemory, address) => {
  const task = tasks[index]
  if (!task) throw new Error(`there is no task ${index}`)
  const bytes = isInMemory ? await fetchBytes(address) : undefined
  return measure(task, async () => bytes ?? fetchBody(address), await fetchBytes('/sax-wasm.wasm'))
}

async function fetchBytes(address: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await fetch(address)).arrayBuffer())
}

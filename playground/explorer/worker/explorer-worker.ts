// The worker of the Explorer: does what the page asks for. One input at a time.

import { READY } from '../../shell/worker-reserve.ts'
import type { ExplorerAnswer, ExplorerRequest } from '../protocol.ts'
import { Session } from './session.ts'

/** The build sets it, as for the page. */
declare const BLOCK_WORKER: string | undefined

/** Decompressing bzip2 takes longer than everything else. */
const threads = { threads: Math.min(8, navigator.hardwareConcurrency), workerUrl: BLOCK_WORKER }

let session: Session | undefined

function answer(message: ExplorerAnswer, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer })
}

self.addEventListener('message', ({ data }: MessageEvent<ExplorerRequest>) => {
  if (data.type === 'open') {
    const opened = new Session(data.source, data.name, threads, (message, transfer) => {
      // What is closed is silent.
      if (session === opened) answer(message, transfer)
    })
    session = opened
    void opened.run()
  } else if (data.type === 'close') {
    session?.close()
    session = undefined
    answer({ type: 'closed' })
  } else if (session) {
    void pass(session, data)
  }
})

function pass(to: Session, request: Exclude<ExplorerRequest, { type: 'open' | 'close' }>): void | Promise<void> {
  switch (request.type) {
    case 'pause':
      return to.pause()
    case 'resume':
      return to.resume()
    case 'cancel':
      return to.cancel()
    case 'filter':
      return to.filter(request.filter)
    case 'rows':
      return to.rows(request.ask, request.from, request.to)
    case 'article':
      return to.article(request.ask, request.index)
    case 'findPage':
      return to.findPage(request.ask, request.target)
    case 'structureRows':
      return to.structureRows(request.nodes)
    case 'pick':
      return to.pick(request.ask, request.node)
    case 'records':
      return to.records(request.shape, request.most)
    case 'endRecords':
      return to.endRecords()
    case 'recordRows':
      return to.recordRows(request.ask, request.from, request.to)
    case 'download':
      return to.download(request)
    case 'nextPiece':
      return to.nextPiece(request.download)
    case 'endDownload':
      return to.endDownload(request.download)
  }
}

postMessage(READY)

// What runs in a worker that reads pieces of a dump.

import { type PieceResult, type PieceSetup, readPiece } from '../records/dump-piece.ts'
import { serveTasks } from './task-worker.ts'

serveTasks<PieceSetup, Uint8Array, PieceResult | undefined>(readPiece, (result) => [
  ...new Set(result?.lines.map(({ bytes }) => bytes.buffer as ArrayBuffer)),
])

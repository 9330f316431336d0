// The ways to read a stream that are compared, in the order in which the page shows them.

export type WayName =
  | 'await-character'
  | 'callback-character'
  | 'peek-character'
  | 'generate-word'
  | 'await-word'
  | 'peek-word'
  | 'chunk'
  | 'loop'

export const FLOOR: WayName = 'loop'

export interface Way {
  readonly name: WayName
  readonly label: string
  /** One promise for each piece, even if the piece has arrived. */
  readonly isEager: boolean
}

export interface WayGroup {
  readonly label: string
  readonly ways: readonly Way[]
}

export const groups: readonly WayGroup[] = [
  {
    label: 'Character by character',
    ways: [
      { name: 'await-character', label: 'await each character', isEager: true },
      { name: 'callback-character', label: 'a callback for each character', isEager: false },
      { name: 'peek-character', label: 'take it if it is there, or else await the next chunk', isEager: false },
    ],
  },
  {
    label: 'Word by word',
    ways: [
      { name: 'generate-word', label: 'an async generator of words', isEager: true },
      { name: 'await-word', label: 'await each word', isEager: true },
      { name: 'peek-word', label: 'a cursor of xylem: peek, and await only if that falls short', isEager: false },
    ],
  },
  {
    label: 'Chunk by chunk',
    ways: [
      { name: 'chunk', label: 'for await over chunks, with a loop in each', isEager: false },
      { name: 'loop', label: 'the loop alone, with everything in memory: the floor', isEager: false },
    ],
  },
]

/** In the order in which they are measured: the floor first, since the others are compared with it. */
export const measuringOrder: readonly WayName[] = groups
  .flatMap(({ ways }) => ways.map(({ name }) => name))
  .sort((one, other) => Number(other === FLOOR) - Number(one === FLOOR))

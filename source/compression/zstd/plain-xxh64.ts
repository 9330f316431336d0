// The plain twin of the hashing kernel. A number of 64 bits is a pair of 32: JavaScript does not multiply larger ones exactly, and BigInt
// takes some 50 times as long. BigInt is used where there is little to do, at the end.

import type { Xxh64 } from './xxh64.ts'

const STRIPE = 32
const LANE = 8
const LANES = 4

const P1 = 0x9e3779b185ebca87n
const P2 = 0xc2b2ae3d27d4eb4fn
const P3 = 0x165667b19e3779f9n
const P4 = 0x85ebca77c2b2ae63n
const P5 = 0x27d4eb2f165667c5n
const [P1_HIGH, P1_LOW] = split(P1)
const [P2_HIGH, P2_LOW] = split(P2)

export class PlainXxh64 implements Xxh64 {
  readonly engine = 'plain'
  readonly #high = new Int32Array(LANES)
  readonly #low = new Int32Array(LANES)
  /** The bytes after the last complete stripe. */
  readonly #rest = new Uint8Array(STRIPE)
  #length = 0

  constructor() {
    this.reset()
  }

  reset(): void {
    for (const [lane, value] of [P1 + P2, P2, 0n, -P1].entries()) {
      const [high, low] = split(value)
      this.#high[lane] = high
      this.#low[lane] = low
    }
    this.#length = 0
  }

  update(bytes: Uint8Array): void {
    const held = this.#length % STRIPE
    const taken = held === 0 ? 0 : Math.min(STRIPE - held, bytes.length)
    this.#length += bytes.length
    if (taken > 0) {
      this.#rest.set(bytes.subarray(0, taken), held)
      if (held + taken < STRIPE) return
      this.#addStripes(this.#rest)
    }
    const end = taken + Math.floor((bytes.length - taken) / STRIPE) * STRIPE
    this.#addStripes(bytes.subarray(taken, end))
    this.#rest.set(bytes.subarray(end))
  }

  digest(): bigint {
    const lanes = Array.from(this.#high, (high, lane) => join(high, this.#low[lane] as number))
    const [one = 0n, two = 0n, three = 0n, four = 0n] = lanes
    let hash = P5
    if (this.#length >= STRIPE) {
      hash = rotate(one, 1n) + rotate(two, 7n) + rotate(three, 12n) + rotate(four, 18n)
      for (const lane of lanes) hash = wrap((hash ^ round(lane)) * P1 + P4)
    }
    hash = wrap(hash + BigInt(this.#length))
    const rest = new DataView(this.#rest.buffer, 0, this.#length % STRIPE)
    let at = 0
    for (; at + 8 <= rest.byteLength; at += 8)
      hash = wrap(rotate(hash ^ round(rest.getBigUint64(at, true)), 27n) * P1 + P4)
    if (at + 4 <= rest.byteLength) {
      hash = wrap(rotate(hash ^ wrap(BigInt(rest.getUint32(at, true)) * P1), 23n) * P2 + P3)
      at += 4
    }
    for (; at < rest.byteLength; at++) hash = wrap(rotate(hash ^ wrap(BigInt(rest.getUint8(at)) * P5), 11n) * P1)
    hash = wrap((hash ^ (hash >> 33n)) * P2)
    hash = wrap((hash ^ (hash >> 29n)) * P3)
    return hash ^ (hash >> 32n)
  }

  /** Adds complete stripes, one lane after the other: what is carried from stripe to stripe then stands in registers. */
  #addStripes(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    for (let lane = 0; lane < LANES; lane++) {
      let high = this.#high[lane] as number
      let low = this.#low[lane] as number
      for (let at = lane * LANE; at < bytes.length; at += STRIPE) {
        const product = multiply(view.getInt32(at + 4, true), view.getInt32(at, true), P2_HIGH, P2_LOW)
        const sum = (low + product) | 0
        const carry = sum >>> 0 < product >>> 0 ? 1 : 0
        const sumHigh = (high + productHigh + carry) | 0
        low = multiply((sumHigh << 31) | (sum >>> 1), (sum << 31) | (sumHigh >>> 1), P1_HIGH, P1_LOW)
        high = productHigh
      }
      this.#high[lane] = high
      this.#low[lane] = low
    }
  }
}

/** The high half of the last product. */
let productHigh = 0

/** Multiplies two pairs of halves; gives the low half of the product. */
function multiply(high: number, low: number, factorHigh: number, factorLow: number): number {
  const low0 = low & 0xffff
  const low1 = low >>> 16
  const factor0 = factorLow & 0xffff
  const factor1 = factorLow >>> 16
  const product00 = Math.imul(low0, factor0) >>> 0
  const product10 = Math.imul(low1, factor0) >>> 0
  const product01 = Math.imul(low0, factor1) >>> 0
  const middle = (product00 >>> 16) + (product10 & 0xffff) + (product01 & 0xffff)
  const upper = Math.imul(low1, factor1) + (product10 >>> 16) + (product01 >>> 16) + (middle >>> 16)
  productHigh = (upper + Math.imul(high, factorLow) + Math.imul(low, factorHigh)) | 0
  return (middle << 16) | (product00 & 0xffff)
}

function split(value: bigint): [high: number, low: number] {
  return [Number(BigInt.asIntN(32, value >> 32n)), Number(BigInt.asIntN(32, value))]
}

function join(high: number, low: number): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
}

function wrap(value: bigint): bigint {
  return BigInt.asUintN(64, value)
}

function rotate(value: bigint, bits: bigint): bigint {
  const wrapped = wrap(value)
  return wrap(wrapped << bits) | (wrapped >> (64n - bits))
}

function round(input: bigint): bigint {
  return wrap(rotate(input * P2, 31n) * P1)
}

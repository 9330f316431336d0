// The plain twin of the scanning kernel: what runs where there is no WebAssembly SIMD, and what the kernel is tested against.

import type { Scanner } from './scanner.ts'

export const plainScanner: Scanner = {
  engine: 'plain',

  findBytes(haystack, needle, from) {
    const first = needle[0]
    if (first === undefined) return from
    const lastPlace = haystack.length - needle.length
    for (let place = haystack.indexOf(first, from); place !== -1; place = haystack.indexOf(first, place + 1)) {
      if (place > lastPlace) return -1
      let matched = 1
      while (matched < needle.length && haystack[place + matched] === needle[matched]) matched++
      if (matched === needle.length) return place
    }
    return -1
  },

  countLineFeeds(bytes) {
    let count = 0
    for (let place = bytes.indexOf(10); place !== -1; place = bytes.indexOf(10, place + 1)) count++
    return count
  },
}

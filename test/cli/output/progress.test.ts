import { describe, expect, test } from 'vitest'
import { describeProgress } from '../../../source/cli/output/progress.ts'

describe('the line that shows progress', () => {
  test('has bytes, share, pages, speed and the time left when the size is known', () => {
    expect(describeProgress({ bytesRead: 25_000_000, totalBytes: 100_000_000 }, 1234, 5)).toBe(
      '25.0 of 100.0 MB (25 %), 1,234 pages, 5.0 MB/s, 15 s left',
    )
  })

  test('has no share and no time left when the size is not known', () => {
    expect(describeProgress({ bytesRead: 25_000_000, totalBytes: undefined }, 7, 5)).toBe('25.0 MB, 7 pages, 5.0 MB/s')
  })

  test('shows minutes and hours', () => {
    expect(describeProgress({ bytesRead: 1e6, totalBytes: 101e6 }, 0, 1)).toContain('1 min 40 s left')
    expect(describeProgress({ bytesRead: 1e6, totalBytes: 10_001e6 }, 0, 1)).toContain('2 h 46 min left')
  })

  test('has no share and no time left when all is read, because the work continues', () => {
    const [bytesRead, totalBytes] = [100_000_000, 100_000_000]
    expect(describeProgress({ bytesRead: 99_999_999, totalBytes }, 7, 5)).toContain('(99 %)')
    expect(describeProgress({ bytesRead, totalBytes }, 7, 5)).toBe('all 100.0 MB read, 7 pages, 20.0 MB/s')
    // A file that grew meanwhile.
    expect(describeProgress({ bytesRead: 2 * bytesRead, totalBytes }, 7, 5)).toBe(
      'all 200.0 MB read, 7 pages, 40.0 MB/s',
    )
  })

  test('makes no nonsense of an empty input or of no progress', () => {
    expect(describeProgress({ bytesRead: 0, totalBytes: 0 }, 0, 1)).toBe('all 0.0 MB read, 0 pages, 0.0 MB/s')
    expect(describeProgress({ bytesRead: 0, totalBytes: 5e6 }, 0, 1)).toBe('0.0 of 5.0 MB (0 %), 0 pages, 0.0 MB/s')
  })
})

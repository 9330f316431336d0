// Numbers as people read them.

const whole = new Intl.NumberFormat('en')

/** `1,234,567` */
export function formatCount(count: number): string {
  return whole.format(count)
}

/** `1 page`, `1,234 pages` */
export function countOf(count: number, singular: string): string {
  return `${formatCount(count)} ${singular}${count === 1 ? '' : 's'}`
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** `1.5 MB`: powers of 1,000, with three digits. */
export function formatBytes(bytes: number): string {
  let unit = 0
  let value = bytes
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  const text = unit === 0 || value >= 99.95 ? value.toFixed(0) : value.toPrecision(value >= 10 ? 3 : 2)
  return `${text} ${unit === 0 && bytes === 1 ? 'byte' : UNITS[unit]}`
}

/** `less than 0.1 s`, `4.2 s`, `3 min 20 s`, `1 h 5 min` */
export function formatSeconds(seconds: number): string {
  if (seconds < 0.1) return 'less than 0.1 s'
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

// A chart of horizontal bars in several groups. Each group has its own scale.

import { escapeXml, formatColors } from './svg.ts'

export interface BarGroup {
  readonly title: string
  /** What the bars say, in order. */
  readonly bars: readonly { readonly name: string; readonly value: number; readonly isOurs: boolean }[]
}

/** Pixels. */
const WIDTH = 720
const NAMES = 150
const VALUES = 60
const BAR = 18
const STEP = 24
const GROUP_GAP = 44
const PADDING = 12

const COLORS = {
  ground: ['#f6f8fa', '#161b22'],
  text: ['#1f2328', '#e6edf3'],
  quiet: ['#59636e', '#9198a1'],
  ours: ['#1a7f37', '#3fb950'],
  other: ['#afb8c1', '#545d68'],
} as const

/** `unit` is said once, after the title of each group. */
export function drawBarChart(groups: readonly BarGroup[], unit: string, title: string, generator: string): string {
  const drawn: string[] = []
  let y = PADDING
  for (const group of groups) {
    drawn.push(drawGroup(group, unit, y))
    y += GROUP_GAP + group.bars.length * STEP
  }
  return `<!-- Made by ${generator}. -->
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img" aria-labelledby="title">
<title id="title">${escapeXml(title)}</title>
<style>
${formatColors(COLORS)}
text { font: 13px system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; fill: var(--text) }
.title { font-weight: 600; font-size: 14px }
.unit { fill: var(--quiet); font-weight: 400 }
.name { text-anchor: end }
.ours { fill: var(--ours) }
.other { fill: var(--other) }
</style>
<rect width="${WIDTH}" height="${y}" rx="8" fill="var(--ground)"/>
${drawn.join('\n')}
</svg>
`
}

function drawGroup({ title, bars }: BarGroup, unit: string, top: number): string {
  const most = Math.max(...bars.map(({ value }) => value))
  const room = WIDTH - NAMES - VALUES - 2 * PADDING
  const head = `<text x="${PADDING}" y="${top + 14}" class="title">${escapeXml(title)} <tspan class="unit">${escapeXml(unit)}</tspan></text>`
  const rows = bars.map(({ name, value, isOurs }, index) => {
    const y = top + 24 + index * STEP
    const width = Math.max((value / most) * room, 1).toFixed(1)
    const right = (NAMES + 14 + Number(width)).toFixed(1)
    return (
      `<text x="${NAMES}" y="${y + 14}" class="name">${escapeXml(name)}</text>` +
      `<rect x="${NAMES + 8}" y="${y}" width="${width}" height="${BAR}" rx="2" class="${isOurs ? 'ours' : 'other'}"/>` +
      `<text x="${right}" y="${y + 14}">${Math.round(value)}</text>`
    )
  })
  return [head, ...rows].join('\n')
}

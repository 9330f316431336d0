// A picture of a terminal: commands that are typed, and what they print. The first is there from the start, so that nobody looks at an empty picture.
// The text stays text, and the animation is CSS: it is left out for readers who prefer reduced motion, and where CSS does not run everything is visible.

import { escapeXml, formatColors } from './svg.ts'

export interface Recording {
  readonly command: string
  /** Lines without their line feeds. */
  readonly output: readonly string[]
  /** Whether the output is an error, and shown in red. */
  readonly hasFailed: boolean
}

/** Pixels. A line is stretched to a multiple of COLUMN, whatever monospaced font the reader has. */
const COLUMN = 8.4
const LINE = 20
const FONT_SIZE = 14
const PADDING = 16
const TITLE_BAR = 32

/** Seconds: for a character that is typed, before a command runs, and before the next command. */
const KEY = 0.03
const RUN = 0.4
const READ = 1.6

const COLORS = {
  ground: ['#f6f8fa', '#161b22'],
  bar: ['#e4e8ec', '#21262d'],
  text: ['#1f2328', '#e6edf3'],
  prompt: ['#1a7f37', '#3fb950'],
  error: ['#cf222e', '#ff7b72'],
} as const

interface Line {
  readonly text: string
  readonly kind: 'command' | 'output' | 'error'
  /** Seconds from the beginning of the animation until it appears. Zero: it is there from the start. */
  readonly delay: number
}

export function drawTerminal(recordings: readonly Recording[], title: string): string {
  const lines: Line[] = []
  for (const recording of recordings) lines.push(...layOut(recording, lines.at(-1)))
  const columns = Math.max(...lines.map(({ text }) => text.length))
  const width = Math.ceil(columns * COLUMN + 2 * PADDING)
  const height = TITLE_BAR + lines.length * LINE + 2 * PADDING
  return `<!-- Made by scripts/record-terminal.ts from a real run. -->
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escapeXml(title)}</title>
<style>
${formatColors(COLORS)}
text { font: ${FONT_SIZE}px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre; fill: var(--text) }
.prompt { fill: var(--prompt) }
.error { fill: var(--error) }
/* A cover of the colour of the ground lies on a command, and shrinks to the right while it is typed. */
.cover { fill: var(--ground); transform-box: fill-box; transform-origin: right; transform: scaleX(0) }
@keyframes type { from { transform: scaleX(1) } to { transform: scaleX(0) } }
@keyframes show { from { opacity: 0 } to { opacity: 1 } }
@media (prefers-reduced-motion: no-preference) {
  .cover { animation: type calc(var(--keys) * ${KEY}s) steps(var(--keys)) var(--at) both }
  .show { animation: show 1ms var(--at) both }
}
</style>
<rect width="${width}" height="${height}" rx="8" fill="var(--ground)"/>
<path d="M0 ${TITLE_BAR}V8a8 8 0 0 1 8-8H${width - 8}a8 8 0 0 1 8 8V${TITLE_BAR}z" fill="var(--bar)"/>
<circle cx="18" cy="16" r="6" fill="#ff5f57"/><circle cx="38" cy="16" r="6" fill="#febc2e"/><circle cx="58" cy="16" r="6" fill="#28c840"/>
${lines.map((line, index) => drawLine(line, TITLE_BAR + PADDING + (index + 0.75) * LINE)).join('\n')}
</svg>
`
}

/** The lines of a command, after an empty one if there is a line before. */
function layOut({ command, output, hasFailed }: Recording, before: Line | undefined): Line[] {
  const start = before ? before.delay + READ : 0
  const end = before ? start + command.length * KEY + RUN : 0
  const gap: Line[] = before ? [{ text: '', kind: 'output', delay: start }] : []
  const kind = hasFailed ? 'error' : 'output'
  return [
    ...gap,
    { text: `$ ${command}`, kind: 'command', delay: start },
    ...output.map((text) => ({ text, kind, delay: end }) as const),
  ]
}

function drawLine({ text, kind, delay }: Line, y: number): string {
  if (text === '') return ''
  const at = delay === 0 ? '' : `--at: ${delay.toFixed(2)}s`
  const show = delay === 0 ? '' : 'show '
  if (kind !== 'command') return drawText(text, PADDING, y, kind === 'error' ? `${show}error` : show.trim(), at)
  const typed = text.slice(2)
  const x = PADDING + 2 * COLUMN
  const written = `${drawText('$', PADDING, y, `${show}prompt`, at)}${drawText(typed, x, y, 'command', '')}`
  if (delay === 0) return written
  const size = `width="${(typed.length * COLUMN).toFixed(1)}" height="${LINE}"`
  const cover = `<rect x="${x}" y="${y - 0.75 * LINE}" ${size} class="cover" style="${at}; --keys: ${typed.length}"/>`
  return `${written}${cover}`
}

function drawText(text: string, x: number, y: number, classes: string, style: string): string {
  const length = `textLength="${(text.length * COLUMN).toFixed(1)}" lengthAdjust="spacingAndGlyphs"`
  const look = `${classes === '' ? '' : ` class="${classes}"`}${style === '' ? '' : ` style="${style}"`}`
  return `<text x="${x}" y="${y}"${look} xml:space="preserve" ${length}>${escapeXml(text)}</text>`
}

// The page: one view at a time, chosen by the fragment of its address: `#grammar`, or with what the view keeps there, `#grammar/…`.

import { element } from './element.ts'
import type { View, ViewModule } from './view.ts'

interface Entry {
  readonly name: string
  readonly label: string
  load(): Promise<ViewModule>
}

const entries: readonly [Entry, ...Entry[]] = [
  { name: 'explorer', label: 'Explorer', load: () => import('../explorer/index.ts') },
  { name: 'grammar', label: 'Grammar', load: () => import('../grammar/index.ts') },
  { name: 'waiting', label: 'Waiting', load: () => import('../waiting/index.ts') },
]

const main = document.querySelector('main') as HTMLElement
const tabs = document.querySelector('nav') as HTMLElement
const links = new Map(
  entries.map((entry) => [entry, element('a', { href: `#${entry.name}`, class: 'tab' }, entry.label)] as const),
)
tabs.append(...links.values())

let shown: { readonly entry: Entry; readonly address: string } | undefined
let view: View | undefined
/** Counts openings, so that a view that loads slowly does not appear over one that was chosen later. */
let openings = 0

/** Shows the view that the page's address names; one that is not known is the first. */
async function show(): Promise<void> {
  const [, name = '', address = ''] = /^#([^/]*)\/?(.*)$/s.exec(location.hash) ?? []
  const entry = entries.find((known) => known.name === name) ?? entries[0]
  if (shown?.entry === entry && shown.address === address) return
  shown = { entry, address }
  const opening = ++openings
  view?.close()
  view = undefined
  for (const [linked, link] of links) {
    if (linked === entry) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  document.title = `${entry.label} – xylem playground`
  const container = element('div', { class: 'view' })
  main.replaceChildren(element('p', { class: 'message', role: 'status' }, `Loading ${entry.label} …`))
  try {
    const module = await entry.load()
    if (opening !== openings) return
    main.replaceChildren(container)
    const opened = await module.open(container, address)
    if (opening === openings) view = opened
    else opened.close()
  } catch (error) {
    if (opening !== openings) return
    main.replaceChildren(describeFailure(entry, error))
  }
}

function describeFailure(entry: Entry, error: unknown): HTMLElement {
  const again = element('button', { type: 'button', class: 'button' }, 'Try again')
  again.addEventListener('click', () => {
    shown = undefined
    void show()
  })
  return element(
    'div',
    { class: 'message', role: 'alert' },
    element('p', {}, `${entry.label} could not be loaded. Is the server still there, and are you online?`),
    element('p', { class: 'label' }, String(error)),
    again,
  )
}

// As a fragment it would name a view.
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault()
  main.focus()
})
addEventListener('hashchange', () => void show())
void show()

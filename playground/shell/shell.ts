// The page: one view at a time, chosen by the fragment of its address: `#grammar`, or with what the view keeps there, `#grammar/…`.

import { button, element } from './element.ts'
import { whenIdle } from './idle.ts'
import { Tab } from './tab.ts'

const tabs: readonly [Tab, ...Tab[]] = [
  new Tab('explorer', 'Explorer', () => import('../explorer/index.ts')),
  new Tab('grammar', 'Grammar', () => import('../grammar/index.ts')),
  new Tab('waiting', 'Waiting', () => import('../waiting/index.ts'), { hasPlaces: false }),
  new Tab('docs', 'Docs', () => import('../docs/index.ts')),
]

const main = document.querySelector('main') as HTMLElement
/** What is shown beside views: that one is loaded, why one is not, and that there is none. */
const message = element('div', { class: 'view' })
main.append(message, ...tabs.map(({ container }) => container))
document.querySelector('nav')?.append(...tabs.map(({ link }) => link))

let shown: Tab | undefined

/** Shows what the page's address names. `isLinked`: a link or the visitor has named it, perhaps once more. */
async function follow(isLinked = false): Promise<void> {
  const [, name = '', slash = '', address = ''] = /^#([^/]*)(\/?)(.*)$/s.exec(location.hash) ?? []
  const tab = name === '' && slash === '' ? tabs[0] : tabs.find((each) => each.name === name)
  if (tab !== shown) leave()
  if (!tab || (address !== '' && !tab.hasPlaces)) {
    leave()
    document.title = 'Not found – xylem playground'
    message.replaceChildren(describeNowhere())
    return
  }
  shown = tab
  document.title = `${tab.label} – xylem playground`
  const loading = element('p', { class: 'message', role: 'status' }, `Loading ${tab.label} …`)
  message.replaceChildren(...(tab.isOpen ? [] : [loading]))
  try {
    await tab.visit(address, isLinked)
    if (shown === tab) message.replaceChildren()
  } catch (error) {
    if (shown === tab) message.replaceChildren(describeFailure(tab, error))
  }
}

function leave(): void {
  shown?.hide()
  shown = undefined
}

/** What is at an address that names nothing. */
function describeNowhere(): HTMLElement {
  const links = tabs.map(({ name, label }) => element('li', {}, element('a', { href: `#${name}` }, label)))
  return element(
    'div',
    { class: 'message', role: 'alert' },
    element('h1', {}, 'There is nothing at this address'),
    element('p', {}, element('code', {}, decodeHash()), ' does not name a part of this page. It has these:'),
    element('ul', {}, ...links),
  )
}

function decodeHash(): string {
  const text = location.hash.slice(0, 100)
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function describeFailure(tab: Tab, error: unknown): HTMLElement {
  return element(
    'div',
    { class: 'message', role: 'alert' },
    element('p', {}, `${tab.label} could not be loaded. Is the server still there, and are you online?`),
    element('p', { class: 'label' }, String(error)),
    button('Try again', () => void follow(), { class: 'button' }),
  )
}

// A tab leads to where the visitor was in its view. A link that is opened in another window leads to the view.
for (const tab of tabs) {
  tab.link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (tab === shown) return
    tab.enter()
    void follow()
  })
}
// As a fragment it would name a view.
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault()
  main.focus()
})
// What is dropped where nothing takes it would be opened by the browser, in place of the page.
for (const type of ['dragover', 'drop'] as const) {
  addEventListener(type, (event) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  })
}
// Of an entry that was there before, the state is its key.
addEventListener('popstate', ({ state }) => void follow(state === null))
addEventListener('beforeunload', (event) => {
  if (tabs.some(({ wouldLose }) => wouldLose)) event.preventDefault()
})
history.scrollRestoration = 'manual'
void follow().then(() => prepare(0))

/** Loads the views that are not shown yet, one after the other, when there is nothing else to do: they work without a connection then. */
function prepare(index: number): void {
  const tab = tabs[index]
  if (tab) whenIdle(() => void tab.prepare().then(() => prepare(index + 1)))
}

// The view "Explorer": looks into a file of any size while it is read.

import { element } from '../shell/element.ts'
import { addStyle } from '../shell/style.ts'
import type { View } from '../shell/view.ts'
import { Connection } from './connection.ts'
import { DumpPane } from './dump/dump-pane.ts'
import { makeErrorCard } from './error-card.ts'
import css from './explorer.css'
import { decodePart, type Opened, Opener } from './opener/opener.ts'
import { StatusCard } from './status-card.ts'
import { XmlPane } from './xml/xml-pane.ts'

/** A file that is looked into. */
interface Look {
  readonly element: HTMLElement
  focus(): void
  close(): void
}

/** `address`: what is opened at once, if there is something. */
export function open(container: HTMLElement, address: string): View {
  addStyle(css)
  let look: Look | undefined
  const ended = new AbortController()
  const opener = new Opener(start)
  const isOfFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false

  function start(opened: Opened): void {
    // A sample may come, or a file be chosen, when another view is open.
    if (ended.signal.aborted) return
    look?.close()
    keepAddress(typeof opened.source === 'string' ? opened.source : undefined)
    look = openLook(opened, () => {
      reset()
      opener.focus()
    })
    const hadFocus = container.contains(document.activeElement)
    container.replaceChildren(look.element)
    // What had it is gone.
    if (hadFocus) look.focus()
  }

  function reset(): void {
    look?.close()
    look = undefined
    if (container.hasChildNodes()) keepAddress(undefined)
    container.replaceChildren(opener.element)
  }

  document.addEventListener(
    'dragover',
    (event) => {
      if (!isOfFiles(event)) return
      event.preventDefault()
      container.classList.add('dropping')
    },
    { signal: ended.signal },
  )
  document.addEventListener('dragleave', () => container.classList.remove('dropping'), { signal: ended.signal })
  document.addEventListener(
    'drop',
    (event) => {
      if (!isOfFiles(event)) return
      event.preventDefault()
      container.classList.remove('dropping')
      opener.openFile(event.dataTransfer?.files[0])
    },
    { signal: ended.signal },
  )
  reset()
  if (address !== '') opener.askForAddress(decodePart(address), () => keepAddress(undefined))
  return {
    close() {
      ended.abort()
      look?.close()
    },
  }
}

/** Lets the address of the page name what is open, so that it can be passed on. A file on a disk has no address. */
function keepAddress(source: string | undefined): void {
  history.replaceState(undefined, '', source === undefined ? '#explorer' : `#explorer/${encodeURIComponent(source)}`)
}

function openLook({ source, name }: Opened, onOther: () => void): Look {
  const errors = element('div')
  const content = element('div')
  const connection = new Connection((message) => {
    const advice = 'Reload the page. If that does not help, this browser may be too old, or forbid what is needed.'
    const nothing = { code: undefined, line: undefined, column: undefined, byteOffset: undefined, excerpt: undefined }
    errors.replaceChildren(makeErrorCard({ title: 'The file cannot be read here', advice, message, ...nothing }))
  })
  const status = new StatusCard(name, connection, onOther)
  let pane: DumpPane | XmlPane | undefined
  connection.on('opened', ({ kind, whyNoPages }) => {
    pane = kind === 'mediawiki' ? new DumpPane(name, whyNoPages, connection) : new XmlPane(name, connection)
    content.replaceChildren(pane.element)
  })
  connection.on('error', ({ error }) => errors.replaceChildren(makeErrorCard(error)))
  connection.send({ type: 'open', source, name })
  return {
    element: element('div', { class: 'stack' }, status.element, errors, content),
    focus: () => status.focus(),
    close() {
      pane?.close()
      connection.close()
    },
  }
}

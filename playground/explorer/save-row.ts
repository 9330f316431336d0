// The buttons that save what is read: as JSON lines, and as CSV.

import { element } from '../shell/element.ts'
import type { Connection } from './connection.ts'
import { DownloadButton } from './download-button.ts'
import type { PageFilter, PickedShape } from './protocol.ts'

export class SaveRow {
  readonly element: HTMLElement
  readonly #buttons: readonly DownloadButton[]

  /** `name`: of the file that is read. `label`: what the labels of the buttons begin with. `find` is asked for what is saved when a button is pressed. */
  constructor(connection: Connection, name: string, label: string, find: () => PickedShape | PageFilter) {
    const stem = name.replace(/(?<=.)(?:\.(?:xml|bz2|gz|zst))+$/, '')
    const isSafe = element('input', { type: 'checkbox' })
    const add = (format: 'jsonl' | 'csv', title: string) =>
      new DownloadButton(connection, `${label} ${title}`, () => ({
        wanted: find(),
        name: `${stem}.${format}`,
        format,
        isSafe: isSafe.checked,
      }))
    this.#buttons = [add('jsonl', 'JSON lines'), add('csv', 'CSV')]
    this.element = element(
      'div',
      { class: 'row' },
      ...this.#buttons.map((button) => button.element),
      element(
        'label',
        {
          class: 'choice label',
          title: 'Puts an apostrophe before texts that begin with =, +, - or @, as the option --csv-safe',
        },
        isSafe,
        'CSV without formulas, for spreadsheets',
      ),
    )
  }

  /** Whether a download runs. */
  get isSaving(): boolean {
    return this.#buttons.some(({ isSaving }) => isSaving)
  }

  set isEnabled(isEnabled: boolean) {
    for (const button of this.#buttons) button.isEnabled = isEnabled
  }

  close(): void {
    for (const button of this.#buttons) button.close()
  }
}

// The view "Grammar".

import { element } from '../shell/element.ts'
import type { View } from '../shell/view.ts'

export function open(container: HTMLElement, _address: string): View {
  container.append(element('h1', {}, 'Grammar'))
  return { close() {} }
}

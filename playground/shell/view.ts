// What the page shows: one view at a time. A view stays when another one is shown, with all that is open in it.

/** Where the visitor is in a view: an entry of the browser's history. */
export interface Place {
  /** What follows the view's name in the fragment of the page's address. */
  readonly address: string
  /** Names the entry for as long as the page is open. */
  readonly key: string
}

/** The page, as a view sees it. It may be called while another view is shown: the page's address follows when this one is shown again. */
export interface Frame {
  /** Makes a new entry of the history. */
  go(address: string): Place
  /** Changes the address of the entry. */
  become(address: string): void
}

export interface View {
  /** The visitor has come to a place of the view: by a link, by hand, or by going back and forward. */
  visit(place: Place): void
  /** Whether something would be lost if the visitor left the page now. */
  readonly wouldLose: boolean
  /** Another view is shown, or this one is shown again. */
  hide?(): void
  show?(): void
}

/** A view's module, which is loaded when the view is shown for the first time. */
export interface ViewModule {
  open(container: HTMLElement, frame: Frame, place: Place): Promise<View>
  /** Loads what the view will need later, so that it works without a connection. Called when the page is idle; what fails now is tried again when it is needed. */
  prepare(): void
}

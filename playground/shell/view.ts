// What the page shows: one view at a time.

/** A view that is open. */
export interface View {
  /** Ends all that it does. What it has put into its container is removed by the page. */
  close(): void
}

/**
 * A view's module: each is loaded when it is opened for the first time. `address` is what follows the view's name in the fragment of the page's address;
 * a view may change it by `history.replaceState`, which opens nothing.
 */
export interface ViewModule {
  open(container: HTMLElement, address: string): View | Promise<View>
}

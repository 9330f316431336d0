// Style sheets of views, which come with the view's module.

const added = new Set<string>()

/** Adds a style sheet to the page, once. */
export function addStyle(css: string): void {
  if (added.has(css)) return
  added.add(css)
  const style = document.createElement('style')
  style.textContent = css
  document.head.append(style)
}

// Style sheets of views, which come with the view's module.

/** Adds a style sheet that stands in a file. Rejects if it cannot be loaded. */
export function linkStyle(address: URL): Promise<void> {
  const link = document.createElement('link')
  return new Promise((resolve, reject) => {
    link.rel = 'stylesheet'
    link.href = address.href
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error('a style sheet could not be loaded'))
    }
    document.head.append(link)
  })
}

/** Adds a style sheet that is in the page. */
export async function adoptStyle(css: string): Promise<void> {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}

// What the pictures of the documentation share: text that is safe in SVG, and colours for light and dark pages.

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Custom properties with a value for light pages and one for dark pages. */
export function formatColors(colors: Readonly<Record<string, readonly [light: string, dark: string]>>): string {
  const declare = (index: 0 | 1) =>
    Object.entries(colors)
      .map(([name, values]) => `--${name}: ${values[index]}`)
      .join('; ')
  return `svg { ${declare(0)} }\n@media (prefers-color-scheme: dark) { svg { ${declare(1)} } }`
}

// How long source is: lines of code, without comments and blank lines.

import ts from 'typescript'

/** The number of lines of a text in TypeScript that have code: any of a token, and not only comments. */
export function countCodeLines(text: string): number {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest)
  const lines = new Set<number>()
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return
    const children = node.getChildren(file)
    for (const child of children) visit(child)
    if (children.length > 0 || node.getEnd() === node.getStart(file)) return
    const first = file.getLineAndCharacterOfPosition(node.getStart(file)).line
    const last = file.getLineAndCharacterOfPosition(node.getEnd()).line
    for (let line = first; line <= last; line++) lines.add(line)
  }
  visit(file)
  return lines.size
}

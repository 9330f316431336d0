// How long source is: lines of code, without comments and blank lines.

import ts from 'typescript'

/** The number of lines of a text in TypeScript that have code: any of a token, and not only comments. */
export function countCodeLines(text: string): number {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest)
  // A scanner takes these for others: only the parser knows where they may stand.
  const rescans = new Map<number, () => void>()
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) rescans.set(node.getStart(file), () => scanner.reScanSlashToken())
    if (ts.isTemplateMiddleOrTemplateTail(node))
      rescans.set(node.getStart(file), () => scanner.reScanTemplateToken(false))
    ts.forEachChild(node, visit)
  }
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text)
  visit(file)
  const lines = new Set<number>()
  while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) {
    rescans.get(scanner.getTokenStart())?.()
    const [first, last] = [scanner.getTokenStart(), scanner.getTokenEnd()].map(
      (at) => file.getLineAndCharacterOfPosition(at).line,
    ) as [number, number]
    for (let line = first; line <= last; line++) lines.add(line)
  }
  return lines.size
}

// Pages of any shape, as text.

import fc from 'fast-check'

/** `timestamps`: those that revisions may have. */
export function anyPage(timestamps?: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const text = fc
    .array(
      fc.constantFrom(
        'a',
        '"',
        '\\',
        '\n',
        '\r\n',
        '\r',
        '\t',
        '&amp;',
        '&lt;',
        '&quot;',
        '&#9;',
        '&#x1F333;',
        '&#13;',
        '木',
        '🌳',
        'é',
        '\u2028',
        '\u007f',
        ' words that are longer than a vector ',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''))
  const number = fc.oneof(
    { arbitrary: fc.nat(99999).map(String), weight: 5 },
    { arbitrary: fc.constantFrom('', ' 7 ', '-1', '007', '0', '-0', '&#55;'), weight: 1 },
  )
  const optional = (arbitrary: fc.Arbitrary<string>) =>
    fc.oneof({ arbitrary: fc.constant(''), weight: 2 }, { arbitrary, weight: 3 })
  const element = (name: string, content: fc.Arbitrary<string>, attributes = '') =>
    content.map((inner) => (inner === '' ? `<${name}${attributes} />` : `<${name}${attributes}>${inner}</${name}>`))
  const contributor = fc.oneof(
    fc
      .tuple(element('username', text), optional(element('id', number)))
      .map((parts) => `<contributor>${parts.join('\n')}</contributor>`),
    element('ip', text).map((ip) => `<contributor>${ip}</contributor>`),
    fc.constantFrom('<contributor deleted="deleted" />', '<contributor/>'),
  )
  const textElement = fc
    .tuple(
      text,
      fc.constantFrom(
        '',
        ' bytes="5"',
        ' bytes="0"',
        ' bytes="-1"',
        ' deleted="deleted"',
        ' bytes="7" location="tt:&quot;1" id="5"',
        ' xml:space="preserve"',
      ),
    )
    .map(([inner, attributes]) => (inner === '' ? `<text${attributes} />` : `<text${attributes}>${inner}</text>`))
  const revision = fc
    .tuple(
      element('id', fc.oneof(fc.nat(9).map(String), fc.nat(999).map(String))),
      optional(element('parentid', number)),
      optional(
        element(
          'timestamp',
          timestamps ?? fc.oneof(text, fc.constantFrom('2026-01-02T03:04:05Z', '2026-01-02T03:04:06Z', '2026')),
        ),
      ),
      optional(contributor),
      fc.constantFrom('', '<minor />'),
      optional(element('comment', text)),
      optional(element('origin', number)),
      optional(element('model', text)),
      optional(element('format', text)),
      optional(textElement),
      optional(element('sha1', text)),
      fc.constantFrom('', '', '', '<!-- c -->', '<new>x</new>', '<content><role>r</role><text>t</text></content>'),
    )
    .map((parts) => `<revision>\n${parts.join('\n ')}</revision>`)
  return fc
    .tuple(
      element(
        'title',
        text.map((title) => `t${title}`),
      ),
      optional(element('ns', number)),
      element('id', fc.nat(999).map(String)),
      fc.constantFrom('', '', '<redirect title="A &amp; &quot;B&quot;\nc" />', '<redirect />'),
      fc.array(revision, { maxLength: 3 }).map((revisions) => revisions.join('\n')),
      fc.constantFrom(
        '',
        '',
        '',
        '<upload><filename>f</filename></upload>',
        '<![CDATA[]]>',
        '<restrictions>r</restrictions>',
      ),
    )
    .map((parts) => `<page>${parts.join('\n')}</page>\n`)
}

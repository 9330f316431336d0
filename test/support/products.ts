// Records of all kinds: what a shape finds in them, and what it does not.

/** A shape with fields of nearly all kinds. */
export const PRODUCT = {
  id: { path: '@id', as: 'integer' },
  name: 'name',
  price: { path: 'price', as: 'number' },
  isSold: { path: '@sold', as: 'boolean' },
  tags: ['tag'],
  maker: { of: 'maker', fields: { name: '.', mail: '@mail' } },
  votes: [{ of: 'vote', fields: { by: '@by', value: { path: '.', as: 'number' } } }],
  isNew: { path: 'new', as: 'present' },
  note: { path: 'note', empty: 'absent', unless: '@hidden' },
  text: { path: 'text', empty: { absentIf: '@size!="0"' }, pick: 'last' },
  latest: { of: 'version', fields: { at: '@at', n: { path: '@n', as: 'integer' } }, pick: { newest: ['at', 'n'] } },
  source: { path: 'body', as: 'xml' },
  place: { path: '.', as: 'offset' },
} as const

/** Products of all kinds, so many of each. */
export function products(count: number): string {
  const versions = [
    '',
    '<version at="2" n="1"/><version at="10" n="2"/>',
    '<version at="a" n="9"/><version at="a" n="10"/>',
  ]
  const one = (i: number) =>
    [
      `<p id="${i}"${i % 5 === 0 ? ' sold="true"' : i % 7 === 0 ? ' sold="0"' : ''}>`,
      i % 6 === 0
        ? '<name/>'
        : `<name>P "${i}" \\ &lt;é木🌳&#10;\t${i % 4 ? '' : '<![CDATA[<&]]>'}\r\n</name><name>no</name>`,
      i % 3 === 0 ? '' : `<price>${[`${i}.25`, `-${i}`, `${i}.50`, ' 7 ', '0.0000001', '1e3'][i % 6]}</price>`,
      ...Array.from({ length: i % 4 }, (_, n) => `<tag>t${n}<!-- no --></tag>`),
      i % 2 ? `<maker mail="&quot;m&#x41;\n'">Ma<b>k</b>er</maker>` : '',
      i % 8 ? '<vote by="a">1</vote><vote>-2.5</vote>' : '',
      i % 9 ? '' : '<new/>',
      ['', '<note/>', '<note hidden="">x</note>', '<note><!-- --></note>', '<note>n</note>'][i % 5],
      ['', '<text size="5"/>', '<text size="0"/>', '<text size="1">x</text><text>y</text>'][i % 4],
      versions[i % 3],
      i % 10 ? '' : '<body a="1">a <c/>\r\n&amp;</body>',
      '</p>',
    ].join('')
  return `<r>${Array.from({ length: count }, (_, i) => one(i)).join('\n')}</r>`
}

// Documents that are not easily cut into ranges: their records are not where a search finds them, or are read in another way than the first ones.

export const SHAPE = { id: '@id', text: '.', inner: ['.//b'] } as const
export const rows = (
  from: number,
  count: number,
  write = (id: number) => `  <row id="${id}">t${id}<b>in</b></row>\n`,
) => Array.from({ length: count }, (_, i) => write(from + i)).join('')

/** Documents whose records are not where a search finds them, or are read in another way than the first ones. */
export const DOCUMENTS: Record<string, string> = {
  rows: `<?xml version="1.0"?>\n<posts>\n${rows(1, 8)}</posts>\n`,
  'rows without content': `<posts>${rows(1, 8, (id) => `<row id="${id}"/>`)}</posts><!-- end -->`,
  'rows in comments': `<posts>\n${rows(1, 3)}<!-- ${rows(10, 3)} -->${rows(4, 3)}</posts>`,
  'rows in CDATA sections': `<posts>\n${rows(1, 2)}<row id="3"><![CDATA[${rows(10, 3)}]]></row>${rows(4, 3)}</posts>`,
  'rows in instructions': `<posts>\n${rows(1, 2)}<?x ${rows(10, 3)} ?>${rows(4, 3)}</posts>`,
  'rows in attributes, as an error': `<posts>\n${rows(1, 2)}<row id="<row id='9'>"/>${rows(4, 3)}</posts>`,
  'rows in attributes, after a greater-than sign': `<posts>\n${rows(1, 2)}<x a="> &lt;row >"/>${rows(4, 3)}</posts>`,
  'rows in entities': `<!DOCTYPE posts [<!ENTITY r '<row id="e">&lt;row></row>'><!ATTLIST row k CDATA "<&#38;lt;row >">]><posts>\n${rows(1, 2)}&r;${rows(4, 3)}&r;</posts>`,
  'rows in the head': `<!-- <row id="1"> --><!DOCTYPE posts [<!-- <row > --><!ENTITY e "<row id='0'/>"><!ATTLIST row id CDATA "none">]><posts>${rows(1, 3)}<row/><row/></posts>`,
  'rows in rows': `<posts>\n${rows(1, 3)}<row id="4"><row id="5"><b>x</b><row id="6"/></row></row>${rows(7, 3)}</posts>`,
  'rows at several depths': `<posts>\n${rows(1, 3)}<g>${rows(4, 3)}</g>${rows(7, 3)}<g>${rows(10, 2)}</g></posts>`,
  'rows in many parents': `<posts>${[1, 2, 3, 4].map((i) => `<g n="${i}">${rows(i * 10, 2)}</g>`).join('')}</posts>`,
  'namespaces that are declared again': `<r><g xmlns:p="u1">${rows(1, 3, (id) => `<row p:id="${id}" id="${id}"/>`)}</g><g xmlns:p="u2">${rows(4, 3, (id) => `<row p:id="${id}" id="${id}"/>`)}</g><g xmlns:p="u1">${rows(7, 3)}</g></r>`,
  'a default namespace that changes': `<r xmlns="u1">${rows(1, 2)}<g xmlns="u2">${rows(3, 2)}</g><g xmlns="">${rows(5, 2)}</g>${rows(7, 2)}</r>`,
  'prefixes that end to hold': `<r><g xmlns:p="u1">${rows(1, 3)}</g><g>${rows(4, 2)}<row><p:b/></row>${rows(7, 2)}</g></r>`,
  'a language that changes': `<r><g xml:lang="en">${rows(1, 2)}</g><g xml:lang="de">${rows(3, 2)}</g><g xml:lang="en">${rows(5, 2)}</g></r>`,
  'space that changes': `<r><g>${rows(1, 2)}</g><g xml:space="preserve">${rows(3, 2)}</g><g>${rows(5, 2)}</g></r>`,
  'rows that declare namespaces': `<r>${rows(1, 6, (id) => `<row xmlns="u${id % 2}" xmlns:p="v" p:id="${id}" id="${id}"><b/></row>`)}</r>`,
  'text around rows': `<r>a&amp;b${rows(1, 2)}<![CDATA[<row>]]>&#60;row>${rows(3, 2)}c</r>`,
  'names that begin in the same way': `<r><rows/>${rows(1, 2)}<row-2 id="0"><b/></row-2><rowed/>${rows(3, 2)}</r>`,
  'characters of several bytes': `<räume>${rows(1, 4, (id) => `<row id="ä${id}">€𝄞</row>é`)}</räume>`,
  'a byte order mark': `\uFEFF<posts>${rows(1, 4)}</posts>`,
  'one row': '<posts><row id="1"/></posts>',
  'no row': '<posts><x>row</x></posts>',
  'a row that is the root': '<row id="1"><row id="2"/></row>',
  'carriage returns': `<posts>\r\n${rows(1, 4).replaceAll('\n', '\r\n')}</posts>\r\n`,
  'an end tag that does not match': `<posts>${rows(1, 3)}</post>${rows(4, 2)}`,
  'an end tag that does not match after rows': `<posts>${rows(1, 3)}<g>${rows(4, 2)}</h></posts>`,
  'a comment that does not end': `<posts>${rows(1, 3)}<!-- ${rows(4, 2)}</posts>`,
  'a comment with two hyphens': `<posts>${rows(1, 3)}<!-- -- ${rows(4, 2)} -->${rows(7, 2)}</posts>`,
  'text after the root': `<posts>${rows(1, 3)}</posts>${rows(4, 2)}`,
  'two roots': `<posts>${rows(1, 3)}</posts><posts>${rows(4, 2)}</posts>`,
  'an end that is missing': `<posts>${rows(1, 3)}<row id="4">`,
  'an attribute twice': `<posts>${rows(1, 3)}<row id="4" id="5"/>${rows(6, 2)}</posts>`,
  'a prefix that is not declared': `<posts>${rows(1, 3)}<row p:id="4"/>${rows(6, 2)}</posts>`,
  'an entity that is not declared': `<posts>${rows(1, 3)}<row>&nothing;</row>${rows(6, 2)}</posts>`,
  'a character that is not allowed': `<posts>${rows(1, 3)}<row>\u0001</row>${rows(6, 2)}</posts>`,
}

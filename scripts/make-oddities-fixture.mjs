// Writes fixtures/mediawiki/oddities.xml and oddities-doctype.xml: dumps with everything that the schema does not forbid, or that XML allows
// although no writer of dumps does it.
//
//   node scripts/make-oddities-fixture.mjs
//
// What a reader makes of them is recorded in test/cli/recorded/. Ids of pages and revisions count from 1, unless a page says otherwise.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'

const target = new URL('../fixtures/mediawiki/', import.meta.url)

const sha1 = (text) =>
  BigInt(`0x${createHash('sha1').update(text).digest('hex')}`)
    .toString(36)
    .padStart(31, '0')

const escapeText = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

let pages = 0
let revisions = 0

/** A page with an id of its own. `children` come after the usual three. */
const page = (title, children, ns = 0) => `  <page>
    <title>${title}</title>
    <ns>${ns}</ns>
    <id>${++pages}</id>
${children}  </page>
`

/** A revision with an id of its own. */
const revision = (children) => `    <revision>
      <id>${++revisions}</id>
${children}    </revision>
`

/** The timestamp, contributor and text that most revisions have. */
const usual = (text) => `      <timestamp>2026-01-02T03:04:05Z</timestamp>
      <contributor><username>Ada</username><id>7</id></contributor>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="${Buffer.byteLength(text)}" xml:space="preserve">${escapeText(text)}</text>
      <sha1>${sha1(text)}</sha1>
`

/** A revision whose dump has `written` for a text that is stored as `stored`. */
const stored = (written, text, hash = sha1(text)) =>
  revision(`      <timestamp>2026-01-02T03:04:05Z</timestamp>
      <text bytes="${Buffer.byteLength(text)}" xml:space="preserve">${written}</text>
${hash === '' ? '' : `      <sha1>${hash}</sha1>\n`}`)

const head = `<?xml version="1.0" encoding="UTF-8"?>
<!-- before the root -->
<?before root?>
<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:schemaLocation="a b" version="0.11" xml:lang="en" more="&lt;1&gt;">
  text between
  <siteinfo since="2001">
    <sitename>Odd &amp; <![CDATA[<rare>]]></sitename>
    <dbname>oddwiki</dbname>
    <base>https://odd.example.org/wiki/Main_Page?a=1&amp;b=2</base>
    <generator>MediaWiki 1.46</generator>
    <generator>MediaWiki 1.47</generator>
    <case>first-letter</case>
    <license url="https://example.org/by-sa" xml:lang="en">CC <b>BY</b>-SA<!-- 4.0 --></license>
    <namespaces>
      <namespace key="-1" case="first-letter">Special</namespace>
      <namespace key="0" case="first-letter" />
      <namespace key=" 1 " case="case-sensitive">Talk</namespace>
      <namespace key="6">File</namespace>
      <namespace key="10" alias="T">Template<note>!</note></namespace>
      <alias key="10">T</alias>
    </namespaces>
    <namespacealiases><alias key="6">Image</alias></namespacealiases>
  </siteinfo>
`

const foot = '</mediawiki>\n'

const twice = [
  page(
    'Page twice, first',
    `    <title>Page twice, last</title>
    <ns>1</ns>
    <id>1001</id>
    <redirect title="First" />
    <redirect title="Last" />
    <restrictions>edit=first</restrictions>
    <restrictions>edit=last</restrictions>
    <discussionthreadinginfo><ThreadSubject>First</ThreadSubject><ThreadID>1</ThreadID></discussionthreadinginfo>
    <discussionthreadinginfo><ThreadSubject>Last</ThreadSubject></discussionthreadinginfo>
${revision(usual('page twice'))}`,
  ),
  page(
    'Revision twice',
    revision(`      <id>1002</id>
      <parentid>1</parentid>
      <parentid>2</parentid>
      <timestamp>2026-01-01T00:00:00Z</timestamp>
      <timestamp>2026-01-02T00:00:00Z</timestamp>
      <contributor><username>First</username><id>1</id></contributor>
      <contributor><ip>192.0.2.2</ip></contributor>
      <minor />
      <minor>yes</minor>
      <comment>first</comment>
      <comment>last</comment>
      <origin>1</origin>
      <origin>2</origin>
      <model>first</model>
      <model>last</model>
      <format>text/first</format>
      <format>text/last</format>
      <text bytes="5" id="1" location="tt:1">first</text>
      <text bytes="4" id="2">last</text>
      <sha1>first</sha1>
      <sha1>last</sha1>
`),
  ),
  page(
    'Text twice, deleted and not',
    revision(`      <comment deleted="deleted" />
      <comment>shown</comment>
      <text bytes="0" deleted="deleted" />
      <text bytes="5">shown</text>
`) +
      revision(`      <comment>shown</comment>
      <comment deleted="deleted" />
      <text bytes="5">shown</text>
      <text bytes="0" deleted="deleted" />
      <sha1>given</sha1>
      <sha1 />
`),
  ),
  page(
    'Timestamps twice decide',
    revision(`      <timestamp>2026-01-09T00:00:00Z</timestamp>
      <timestamp>2026-01-01T00:00:00Z</timestamp>
      <text bytes="1">a</text>
`) +
      revision(`      <timestamp>2026-01-05T00:00:00Z</timestamp>
      <text bytes="1">b</text>
`),
  ),
]

const contributors = [
  '<contributor><username>Both</username><ip>192.0.2.1</ip><id>3</id></contributor>',
  '<contributor><ip>192.0.2.1</ip><ip>192.0.2.2</ip></contributor>',
  '<contributor><id>4</id><username>One</username><username>Two</username><id>5</id></contributor>',
  '<contributor><id>6</id></contributor>',
  '<contributor deleted="deleted"><username>Hidden</username><id>7</id></contributor>',
  '<contributor deleted=""></contributor>',
  '<contributor><username/><id/></contributor>',
  '<contributor><ip/></contributor>',
  '<contributor>\n        text\n      </contributor>',
  '<contributor><username xml:lang="en">N&lt;b>a&lt;/b>me</username><role of="x">admin<!-- no --><i>y</i></role><id> 8\n</id></contributor>',
  '<contributor><username>~2026-1 &quot;&lt;&#x1F333;</username><id>0</id></contributor>',
].map((contributor) =>
  revision(`      <timestamp>2026-01-02T03:04:05Z</timestamp>
      ${contributor}
      <text bytes="1">c</text>
`),
)

const uploads = page(
  'File:Versions.png',
  `    <upload>
      <timestamp>2026-01-01T00:00:00Z</timestamp>
      <contributor><username>Bo</username><id>8</id></contributor>
      <comment>first &amp; oldest</comment>
      <filename>Versions.png</filename>
      <archivename>20260101000000!Versions.png</archivename>
      <src>https://odd.example.org/images/Versions.png?a=1&amp;b=2</src>
      <size>12</size>
      <sha1base36>0123456789abcdefghijklmnopqrstu</sha1base36>
      <rel>a/ab/Versions.png</rel>
      <contents encoding="base64">aGVs
bG8=</contents>
    </upload>
${revision(usual('between uploads'))}    <upload>
      <timestamp>2026-01-02T00:00:00Z</timestamp>
      <timestamp>2026-01-03T00:00:00Z</timestamp>
      <contributor deleted="deleted" />
      <comment deleted="deleted">hidden</comment>
      <filename>First.png</filename>
      <filename>Last.png</filename>
      <size> 34 </size>
      <license><name>by</name></license>
      <contents>x&lt;b>y&lt;/b>z</contents>
    </upload>
${revision(`      <timestamp>2025-01-02T03:04:05Z</timestamp>\n      <text bytes="5">older</text>\n`)}    <upload />
`,
  6,
)

const unknown = [
  page(
    'Unknown in page',
    `    <protection level="sysop" xml:lang="en" n:kind="a&#10;b &quot;c&quot;" xmlns:n="urn:n">
      <type>edit</type> and <n:type n:a='1'/> mixed <![CDATA[<cdata>]]> &amp; <!-- comment --><?pi data?>
    </protection>
    <tags/>
    <Title>not a title</Title>
    <n:title xmlns:n="urn:n">not a title either</n:title>
    <tags>1</tags>
${revision(usual('unknown in page'))}`,
  ),
  page(
    'Unknown in revision',
    revision(`      <tags><tag name="mobile"/><tag>b<i>c</i></tag></tags>
${usual('unknown in revision')}      <quality>3</quality>
      <text2 bytes="5">no</text2>
      <page-count>4</page-count>
`),
  ),
  page(
    'Text and elements between',
    `    text &amp; more\n    <![CDATA[cdata]]>\n${revision(usual('between'))}    text\n`,
  ),
]

const threads = [
  page(
    'Thread:Old/1',
    `    <DiscussionThreading>
      <ThreadSubject>Sub&lt;ject</ThreadSubject>
      <ThreadParent>Thread:Old</ThreadParent>
      <ThreadAncestor/>
      <ThreadID>1</ThreadID>
      <ThreadID>2</ThreadID>
      <ThreadAuthor><name>Ada</name> L.</ThreadAuthor>
      <constructor>c</constructor>
      <__proto__>p</__proto__>
    </DiscussionThreading>
${revision(usual('thread'))}`,
    90,
  ),
  page('Thread:Empty/2', `    <discussionthreadinginfo />\n${revision(usual('empty thread'))}`, 91),
]

const suppressed = page(
  'Suppressed',
  [
    '<text bytes="-1" deleted="deleted" />',
    '<text bytes="12" deleted="deleted">still there</text>',
    '<text deleted="">empty attribute</text>',
    '<comment deleted="deleted">hidden</comment>\n      <text bytes="-1" />',
    '<minor deleted="deleted" />\n      <sha1 deleted="deleted">abc</sha1>\n      <text xml:space="preserve" />',
  ]
    .map((children, i) => revision(`      <timestamp>2026-01-02T03:04:0${i}Z</timestamp>\n      ${children}\n`))
    .join(''),
)

const stubs = page(
  'Stub',
  [
    '<text id="43" bytes="5120" />',
    '<text bytes="5120" sha1="abc" location="tt:43" id="43"></text>',
    '<text bytes="0" location="es:DB://cluster/1?flags=a&amp;b" id=" 44 " />',
    '<text bytes="" id="" location="" />',
    '<text bytes="00" />',
    '<text bytes=" 0 " />',
    '<text bytes=" 0012 ">twelve bytes</text>',
    '<text>\n</text>',
    '<text bytes="1"> </text>',
    '<text/>',
    '',
  ]
    .map((text, i) => revision(`      <timestamp>2026-01-02T03:04:${10 + i}Z</timestamp>\n      ${text}\n`))
    .join(''),
)

const slots = page(
  'Slots',
  revision(`${usual('main slot')}      <content>
        <role>mediainfo</role>
        <role>second role</role>
        <origin> 5 </origin>
        <model>wikibase-mediainfo</model>
        <format>application/json</format>
        <text bytes="12" sha1="yyy" location="tt:9" xml:space="preserve">{&quot;id&quot;:&quot;M9&quot;}</text>
        <text bytes="1">2</text>
        <more>left out</more>
      </content>
      <content><text bytes="-1" deleted="deleted" /></content>
      <content><role/><origin/><text bytes="7" /></content>
      <content />
`),
)

const orders = [
  [
    ['2026-01-03', 3],
    ['2026-01-02', 4],
    ['2026-01-01', 5],
  ],
  [
    ['2026-01-01', 9],
    ['2026-01-01', 7],
    ['2026-01-01', 8],
  ],
  [
    ['2026-01-01', 7],
    ['2026-01-01', 7],
    ['2026-01-01', ' 7 '],
  ],
  [
    ['', 1],
    ['2026-01-01', 2],
    [undefined, 30],
  ],
  [
    ['2026-01-01', -5],
    ['2026-01-01', '0010'],
    ['2026', 12],
    ['2026-01-01', 9],
  ],
].map((history, i) =>
  page(
    `Order ${i}`,
    history
      .map(([time, id], at) => {
        const timestamp = time === undefined ? '' : `\n      <timestamp>${time}</timestamp>`
        return `    <revision>
      <id>${typeof id === 'number' && id > 0 ? 20_000 + 100 * i + id : id}</id>${timestamp}
      <minor/>
      <comment>number ${at}</comment>
      <text bytes="8" xml:space="preserve">number ${at}</text>
    </revision>
`
      })
      .join(''),
  ),
)

const history = page(
  'History',
  Array.from({ length: 12 }, (_, i) =>
    revision(`      <parentid>${revisions - 1}</parentid>
      <timestamp>20${String(15 + i)}-0${1 + (i % 9)}-02T03:04:05Z</timestamp>
      <contributor>${i % 3 === 0 ? `<ip>192.0.2.${i}</ip>` : `<username>User ${i % 4}</username><id>${i % 4}</id>`}</contributor>
${i % 2 ? '      <minor />\n' : ''}      <comment>edit ${i}</comment>
      <model>${i % 5 === 0 ? 'css' : 'wikitext'}</model>
      <text bytes="${`text ${i}`.length}">text ${i}</text>
`),
  ).join(''),
)

const numbers = `  <page><title>Spaces around numbers</title><ns>
      1
    </ns><id>\t500 </id><revision><id>
 5001
</id><parentid> -1 </parentid><timestamp> 2026-01-02T03:04:05Z </timestamp><contributor><username> Ada </username><id> 007 </id></contributor><origin>\t-1\t</origin><text bytes=" 2 "> t</text><sha1> x </sha1></revision></page>
  <page><title>Least id</title><id>0</id></page>
  <page><title>Negative id</title><ns>-1</ns><id>-3</id></page>
  <page><title>Largest id</title><ns>9007199254740991</ns><id>9007199254740991</id><revision><id>9007199254740991</id><parentid>-9007199254740991</parentid><text bytes="9007199254740991">large</text></revision></page>
  <page><title>Number in parts</title><ns>1<!-- comment -->0</ns><id>5<![CDATA[0]]>&#50;</id><revision><id>5<?pi?>02</id><text>parts</text></revision></page>
  <page><title>Leading zeros</title><ns>000</ns><id>0000000000000000000503</id></page>
`

const empty = [
  `  <page><title>No namespace</title><id>${++pages}</id><revision><id>${++revisions}</id><text>no namespace</text></revision></page>\n`,
  `  <page><title>Empty namespace</title><ns/><id>${++pages}</id><restrictions/><redirect/></page>\n`,
  `  <page><title></title><ns> </ns><id>${++pages}</id><restrictions></restrictions><redirect title=""/></page>\n`,
  `  <page><title/><ns>0</ns><id>${++pages}</id><redirect title="  Two  spaces ">content</redirect></page>\n`,
  page(
    'Empty elements',
    revision(
      `      <parentid/><timestamp/><contributor/><minor/><comment/><origin/><model/><format/><text/><sha1/><content/>\n`,
    ) +
      revision(
        `      <parentid></parentid><timestamp></timestamp><contributor></contributor><minor></minor><comment></comment><origin></origin><model></model><format></format><text></text><sha1></sha1>\n`,
      ),
  ),
  page('Only an id', '    <revision><id>6001</id></revision>\n'),
  page('No revision', ''),
]

const lineEnds = [
  page(
    'Line\r\nends\rin a\ntitle&#13;&#xA;&#x9;.',
    `    <redirect title="a\r\nb\rc\nd\te&#13;&#10;&#9;f" />\r\n    <restrictions>a\r\nb\rc&#13;d</restrictions>\r\n${revision(`      <timestamp>2026-01-02T03:04:05Z</timestamp>\r\n      <comment>one\r\ntwo\rthree&#xD;\n</comment>\r      <text bytes="3" location="a\r\nb" xml:space="preserve">\r\none\r\r\n\rtwo\n\r&#13;&#xd;&#10;\r</text>\r\n`)}`,
  ),
  page('CR at the end', revision(`      <text bytes="9" xml:space="preserve">a\r</text><comment>\r</comment>\r`)),
]

const references = [
  page(
    'Refer&#101;nces &lt;&gt;&amp;&quot;&apos; &#x1F333;&#127795;',
    `    <redirect title='&lt;&gt;&amp;&quot;&apos; " &#x1F333; &#10;>' />
${revision(`      <comment>&#38;amp; &amp;lt; &#60;b&#62; ]]&gt;</comment>
      <text bytes="1" xml:space="preserve">&lt;page&gt;&amp;amp;&#38;#38;&quot;&apos;&#x27;&#39; &#xe9;&#233;&#x6728;&#x1F333;&#128018;&#xA0;&#8232;&#x2029;&#xFFFD;&#x85;&#x7F;&#9;&#10;&#x10FFFF;&#xD7FF;&#xE000;</text>
`)}`,
  ),
  page(
    'C<![CDATA[DAT]]>A',
    `    <restrictions><![CDATA[]]></restrictions>
${revision(`      <comment><![CDATA[<b> & ]] ]> > "c"]]></comment>
      <text bytes="1">a<![CDATA[<page>&amp;\r\n]]]]><![CDATA[>]]>&lt;<![CDATA[]]><![CDATA[b]]>c</text>
`)}`,
  ),
  `  <!-- between pages -->
  <?between pages?>
  <page><!-- in a page --><title>Com<!-- a -->ments<?b?></title><?in page?><ns><!-- ns -->0</ns><id><!-- id -->${++pages}</id>
    <revision><!-- in a revision --><id>${++revisions}<!-- --></id><?in revision?>
      <contributor><!-- c --><username>A<!-- da -->da</username><?p?><id>7</id></contributor><!-- <text>no</text> -->
      <text bytes="4">te<!-- - -->x<?t x?>t<!---->s</text>
      <comment><!-- only --></comment>
    </revision>
  </page>
`,
  page(
    'Markup in texts',
    `    <restrictions>a&lt;b>b&lt;/b>c</restrictions>
${revision(`      <timestamp>2026-01-01</timestamp>
      <comment>a&lt;b>b&lt;i/>d</comment>
      <model>wiki&#x74;ext</model>
      <text bytes="9">a&lt;b c="d">e&lt;/b>f&lt;text>g&lt;/text>h</text>
`)}`,
  ),
]

const long = [
  page('Long', revision(usual(`${'{{Infobox|a=1}} "quoted" & <tag> \\ back\tslash '.repeat(70)}\n`.repeat(2)))),
  page('Astral', revision(usual('🌳𝒳é木\u2028\u00a0\ufffd\ufeff\u{10ffff}e\u0301\u0323\ufdd0 '.repeat(40)))),
  page('Line of one character', revision(usual('x'.repeat(3000)))),
]

const cells = [
  '=1+1',
  '+1',
  '-1',
  '@a',
  '\ta',
  ' =1',
  "'=1",
  'a,b;"c"',
  'back\\slash\\n',
  'tab\there',
  '|pipe',
  'a\u2028b',
]
  .map((title, i) => page(title, revision(usual(`${title}\nrow ${i}`))))
  .join('')

const forms = [
  `<page id='1' xmlns="http://www.mediawiki.org/xml/export-0.11/"  ><title >Forms</title ><ns\n>0</ns\n><id a = "1">${++pages}</id><redirect  title = 'Single "quotes"'  other="x"></redirect><revision n="1"><id>${++revisions}</id><text  id='3'\n bytes\t=\n"5"\rsha1="x"  >forms</text ></revision ></page\n>`,
  `  <page>
    <discussionthreadinginfo><ThreadID>1</ThreadID></discussionthreadinginfo>
    <id>${++pages}</id>
    <title>Order of children</title>
    <revision><text bytes="5">order</text><sha1>x</sha1><format>text/plain</format><model>plain</model><comment>last</comment><contributor><id>1</id><username>Ada</username></contributor><timestamp>2026-01-01T00:00:00Z</timestamp><id>${++revisions}</id></revision>
    <ns>1</ns>
    <restrictions>late</restrictions>
    <redirect title="Late" />
    <tags/>
    <revision><id>${++revisions}</id><timestamp>2025-01-01T00:00:00Z</timestamp></revision>
    <discussionthreadinginfo><ThreadID>2</ThreadID></discussionthreadinginfo>
  </page>
`,
  `  <w:page xmlns:w="http://www.mediawiki.org/xml/export-0.11/"><w:title>Prefixed</w:title><w:id>7</w:id></w:page>
  <page xmlns="urn:other"><title>Other namespace</title><id>${++pages}</id><w:revision xmlns:w="urn:w"><id>1</id></w:revision></page>
  <group><note>a group is not read, <page-like/> or not</note></group>
  <logitem><id>1</id><timestamp>2026-01-02T03:04:05Z</timestamp><type>move</type></logitem>
  <page><title>Ids are not in order</title><ns>0</ns><id>2</id><revision><id>2</id><text>two</text></revision></page>
  <page><title>Ids are not in order</title><ns>0</ns><id>2</id><revision><id>2</id><text>again</text></revision></page>
`,
]

const verified = [
  stored('equal', 'equal'),
  stored('a\nb', 'a\r\nb'),
  stored('one\ntwothree', 'one\r\ntwo\rthree'),
  stored('a\ufffdb', 'a\x01b'),
  stored('\u00e9', 'e\u0301'),
  stored('no hash', 'no hash', ''),
  stored('different', 'differenu'),
  stored('shorter', 'much longer than what is written, by far, so that nothing explains it'),
  stored('', ''),
  stored('', 'not fetched'),
  revision(`      <text deleted="deleted" bytes="5" />\n      <sha1>x</sha1>\n`),
].map((content, i) => page(`Verified ${i}`, content))

const oddities = [
  ...twice,
  page('Contributors', contributors.join('')),
  uploads,
  ...unknown,
  ...threads,
  suppressed,
  stubs,
  slots,
  ...orders,
  history,
  numbers,
  ...empty,
  ...lineEnds,
  ...references,
  ...long,
  cells,
  ...forms,
  ...verified,
]
writeFileSync(new URL('oddities.xml', target), head + oddities.join('') + foot)

// Without --strict, xylem escapes the references before the first page, also those in the declarations.
pages = 0
revisions = 0
const doctype = `<?xml version="1.0"?>
<!DOCTYPE mediawiki [
  <!ELEMENT mediawiki ANY>
  <!ENTITY site "Wood &amp; Bark">
  <!ENTITY cdata "<![CDATA[<c>]]>">
  <!ENTITY tree "&#x1F333;">
  <!ENTITY nested "(&tree;&site;&#38;lt;)">
  <!ENTITY lines "a&#13;&#10;b
c">
  <!ENTITY empty "">
  <!ENTITY seven "7">
  <!ENTITY comment "<comment>from &tree;</comment><!-- c -->">
  <!ENTITY contributor "<contributor><username>&tree;</username><id>7</id></contributor>">
  <!ENTITY revision "<revision><id>97</id><timestamp>2026-01-02T03:04:05Z</timestamp>&contributor;<text bytes='5'>&site;</text></revision>">
  <!ENTITY page "<page><title>In an entity</title><ns>0</ns><id>70</id>&revision;</page>">
  <!ENTITY amp "&#38;#38;">
  <!ENTITY % more "<!ENTITY late 'declared by a parameter'>">
  %more;
  <!ATTLIST redirect title CDATA "Default &tree;" kind NMTOKENS "  a  b ">
  <!ATTLIST text xml:space (default|preserve) "preserve" location NMTOKENS #IMPLIED bytes CDATA "0">
  <!ATTLIST siteinfo since CDATA "2001">
  <!ATTLIST namespace case CDATA "first-letter">
  <!ATTLIST hidden deleted CDATA "deleted">
  <!ATTLIST tags n CDATA "d&tree;">
  <!NOTATION n SYSTEM "n">
]>
<mediawiki version="0.11" xml:lang="en">
  <siteinfo><sitename>&site;</sitename><dbname>&tree;wiki</dbname><namespaces><namespace key="0"/><namespace key="17">Name &tree;</namespace></namespaces></siteinfo>
`
const declared = [
  page(
    'Enti&tree;ty &site;',
    `    <redirect title="&nested;&lines;&empty;" />
    <restrictions>&nested;</restrictions>
${revision(`      <timestamp>2026-01-02T03:04:05Z</timestamp>
      <contributor><username>&site;</username><id>1&seven;</id></contributor>
      <comment>&late; &amp; &lt;</comment>
      <text bytes="&seven;" location=" a  b&empty; ">&site;|&nested;|&lines;|&empty;|&#38;site;|&cdata;|<![CDATA[&site;]]></text>
`)}`,
  ),
  page('Defaults', `    <redirect />\n${revision('      <text></text>\n')}${revision('      <text>text</text>\n')}`),
  page('Default of a stub', revision('      <text bytes="5" />\n      <hidden>x</hidden>\n      <tags/>\n')),
  page('Elements', revision('      &comment;\n      &contributor;\n      <text bytes="9">a b</text>\n')),
  page(
    'A revision',
    `    &revision;\n${revision('      <timestamp>2026-01-01T00:00:00Z</timestamp>\n      <text>older</text>\n')}`,
  ),
  page(
    'Numbers',
    '    <revision><id>&seven;&seven;</id><parentid>&empty;</parentid><text id="&seven;">&seven;</text></revision>\n',
  ),
  '  &page;\n',
  page('After the entity', revision('      <text bytes="5">after</text>\n')),
]
writeFileSync(new URL('oddities-doctype.xml', target), `${doctype + declared.join('')}</mediawiki>\n`)

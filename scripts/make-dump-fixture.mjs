// Writes fixtures/mediawiki/small-dump.xml, its compressed forms, and small-dump.jsonl, which says what a reader must make of it.
//
//   node scripts/make-dump-fixture.mjs
//
// Each page is given twice, by hand: as a dump has it, and as a reader must print it. In both, BYTES and SHA1 stand for those of the
// stored text. Needs bzip2 on the path; the results are committed, so only who changes this file needs it.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const head = `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.mediawiki.org/xml/export-0.11/ http://www.mediawiki.org/xml/export-0.11.xsd" version="0.11" xml:lang="en">
  <siteinfo>
    <sitename>Xylem &amp; Phloem</sitename>
    <dbname>xylemwiki</dbname>
    <base>https://wiki.example.org/wiki/Main_Page</base>
    <generator>MediaWiki 1.46.0-wmf.12</generator>
    <case>first-letter</case>
    <namespaces>
      <namespace key="-1" case="first-letter">Special</namespace>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Talk</namespace>
      <namespace key="6" case="first-letter">File</namespace>
      <namespace key="8" case="first-letter">MediaWiki</namespace>
      <namespace key="10" case="first-letter">Template</namespace>
      <namespace key="828" case="first-letter">Module</namespace>
    </namespaces>
  </siteinfo>
`
const foot = '</mediawiki>\n'

/** A page of the usual shape; what is odd about it is in `revision`. */
const page = (title, ns, id, revision, extra = '') => `  <page>
    <title>${title}</title>
    <ns>${ns}</ns>
    <id>${id}</id>
${extra}${revision}  </page>
`

const pages = [
  {
    why: 'the usual page; every escape that dumps use, a tag in its text, and characters of one to four bytes',
    stored: "'''Xylem''' & \"phloem\" <ref>a</ref> <page>\nWood é 木 🌳 ]]>\n\nEnd.",
    xml: page(
      'Xylem',
      0,
      1,
      `    <revision>
      <id>101</id>
      <parentid>100</parentid>
      <timestamp>2026-01-02T03:04:05Z</timestamp>
      <contributor>
        <username>Ada</username>
        <id>7</id>
      </contributor>
      <minor />
      <comment>A &quot;better&quot; lead &amp; a tree: 🌳</comment>
      <origin>101</origin>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="BYTES" sha1="SHA1" xml:space="preserve">'''Xylem''' &amp; &quot;phloem&quot; &lt;ref&gt;a&lt;/ref&gt; &lt;page&gt;
Wood é 木 🌳 ]]&gt;

End.</text>
      <sha1>SHA1</sha1>
    </revision>
`,
    ),
    json: {
      id: 1,
      ns: 0,
      title: 'Xylem',
      revision: {
        id: 101,
        parentid: 100,
        timestamp: '2026-01-02T03:04:05Z',
        contributor: { username: 'Ada', id: 7 },
        minor: true,
        comment: 'A "better" lead & a tree: 🌳',
        origin: 101,
        model: 'wikitext',
        format: 'text/x-wiki',
        bytes: 'BYTES',
        sha1: 'SHA1',
        text: 'STORED',
      },
    },
  },
  {
    why: 'a redirect; the text ends without a line feed; a contributor without a name',
    stored: '#REDIRECT [[Xylem]]',
    xml: page(
      'Wood',
      0,
      3,
      `    <revision>
      <id>103</id>
      <timestamp>2026-01-02T03:04:06Z</timestamp>
      <contributor>
        <ip>2001:db8::7</ip>
      </contributor>
      <origin>103</origin>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="BYTES" sha1="SHA1" xml:space="preserve">#REDIRECT [[Xylem]]</text>
      <sha1>SHA1</sha1>
    </revision>
`,
      '    <redirect title="Xylem" />\n',
    ),
    json: {
      id: 3,
      ns: 0,
      title: 'Wood',
      redirect: 'Xylem',
      revision: {
        id: 103,
        timestamp: '2026-01-02T03:04:06Z',
        contributor: { ip: '2001:db8::7' },
        origin: 103,
        model: 'wikitext',
        format: 'text/x-wiki',
        bytes: 'BYTES',
        sha1: 'SHA1',
        text: 'STORED',
      },
    },
  },
  {
    why: 'an empty text as a self-closing element; a colon in a title of the main namespace; an imported user',
    stored: '',
    xml: page(
      'Help: I am an article',
      0,
      4,
      `    <revision>
      <id>104</id>
      <timestamp>2026-01-02T03:04:07Z</timestamp>
      <contributor>
        <username />
        <id>0</id>
      </contributor>
      <origin>104</origin>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="0" sha1="SHA1" />
      <sha1>SHA1</sha1>
    </revision>
`,
    ),
    json: {
      id: 4,
      ns: 0,
      title: 'Help: I am an article',
      revision: {
        id: 104,
        timestamp: '2026-01-02T03:04:07Z',
        contributor: { username: '', id: 0 },
        origin: 104,
        model: 'wikitext',
        format: 'text/x-wiki',
        bytes: 0,
        sha1: 'SHA1',
        text: '',
      },
    },
  },
  {
    why: 'everything suppressed, as the new exports write it: sizes and parents of -1, a model that is none',
    stored: '',
    xml: page(
      'Suppressed',
      0,
      5,
      `    <revision>
      <id>105</id>
      <parentid>-1</parentid>
      <timestamp>2026-01-02T03:04:08Z</timestamp>
      <contributor deleted="deleted" />
      <comment deleted="deleted" />
      <origin>-1</origin>
      <model>error-no-model</model>
      <format>text/x-wiki</format>
      <text bytes="-1" deleted="deleted" />
      <sha1 />
    </revision>
`,
    ),
    json: {
      id: 5,
      ns: 0,
      title: 'Suppressed',
      revision: {
        id: 105,
        parentid: -1,
        timestamp: '2026-01-02T03:04:08Z',
        contributor: { deleted: true },
        origin: -1,
        model: 'error-no-model',
        format: 'text/x-wiki',
        bytes: -1,
      },
    },
  },
  {
    why: 'a text that could not be fetched: empty, although it has bytes; an account without an id',
    stored: '',
    xml: page(
      'Not fetched',
      0,
      6,
      `    <revision>
      <id>106</id>
      <parentid>95</parentid>
      <timestamp>2026-01-02T03:04:09Z</timestamp>
      <contributor>
        <username>~2026-123-45</username>
      </contributor>
      <comment></comment>
      <origin>106</origin>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="5120" sha1="o5d66xygd3tpcj0ndaf2c8qxkbg9ohz" location="tt:43" id="43" />
      <sha1>o5d66xygd3tpcj0ndaf2c8qxkbg9ohz</sha1>
    </revision>
`,
    ),
    json: {
      id: 6,
      ns: 0,
      title: 'Not fetched',
      revision: {
        id: 106,
        parentid: 95,
        timestamp: '2026-01-02T03:04:09Z',
        contributor: { username: '~2026-123-45' },
        comment: '',
        origin: 106,
        model: 'wikitext',
        format: 'text/x-wiki',
        bytes: 5120,
        sha1: 'o5d66xygd3tpcj0ndaf2c8qxkbg9ohz',
        location: 'tt:43',
        textid: 43,
      },
    },
  },
  {
    why: 'carriage returns as they are, which XML folds into line feeds; a control character; a numeric reference',
    stored: "one\r\ntwo\rthree\n\u0085it's",
    text: "one\ntwo\nthree\n\u0085it's",
    xml: page(
      'Line ends',
      0,
      7,
      `    <revision>
      <id>107</id>
      <timestamp>2026-01-02T03:04:10Z</timestamp>
      <contributor>
        <username>Bo &lt;3&gt;</username>
        <id>8</id>
      </contributor>
      <origin>107</origin>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="BYTES" sha1="SHA1" xml:space="preserve">one\r\ntwo\rthree\n\u0085it&#039;s</text>
      <sha1>SHA1</sha1>
    </revision>
`,
    ),
    json: {
      id: 7,
      ns: 0,
      title: 'Line ends',
      revision: {
        id: 107,
        timestamp: '2026-01-02T03:04:10Z',
        contributor: { username: 'Bo <3>', id: 8 },
        origin: 107,
        model: 'wikitext',
        format: 'text/x-wiki',
        bytes: 'BYTES',
        sha1: 'SHA1',
        text: 'TEXT',
      },
    },
  },
  {
    why: 'two revisions: the last one counts, and nothing of the first may show through',
    stored: 'second',
    xml: page(
      'Talk:Xylem',
      1,
      8,
      `    <revision>
      <id>108</id>
      <timestamp>2026-01-02T03:04:11Z</timestamp>
      <contributor>
        <username>Ada</username>
        <id>7</id>
      </contributor>
      <minor />
      <comment>first</comment>
      <origin>108</origin>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="5" sha1="xxx" xml:space="preserve">first</text>
      <sha1>xxx</sha1>
    </revision>
    <revision>
      <id>109</id>
      <parentid>108</parentid>
      <timestamp>2026-01-02T03:04:12Z</timestamp>
      <contributor deleted="deleted" />
      <origin>109</origin>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="BYTES" sha1="SHA1" xml:space="preserve">second</text>
      <sha1>SHA1</sha1>
    </revision>
    <discussionthreadinginfo>
      <ThreadSubject>Not a title</ThreadSubject>
      <ThreadID>12</ThreadID>
    </discussionthreadinginfo>
`,
      '    <restrictions>edit=sysop:move=sysop</restrictions>\n',
    ),
    json: {
      id: 8,
      ns: 1,
      title: 'Talk:Xylem',
      restrictions: 'edit=sysop:move=sysop',
      discussion: { ThreadSubject: 'Not a title', ThreadID: '12' },
      revision: {
        id: 109,
        parentid: 108,
        timestamp: '2026-01-02T03:04:12Z',
        contributor: { deleted: true },
        origin: 109,
        model: 'wikitext',
        format: 'text/x-wiki',
        bytes: 'BYTES',
        sha1: 'SHA1',
        text: 'STORED',
      },
    },
  },
  {
    why: 'a file: a second slot with a model and a text of its own, and an upload between the revisions',
    stored: '== Summary ==',
    xml: page(
      'File:Ring.jpg',
      6,
      9,
      `    <revision>
      <id>110</id>
      <timestamp>2026-01-02T03:04:13Z</timestamp>
      <contributor>
        <username>Ada</username>
        <id>7</id>
      </contributor>
      <origin>110</origin>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="BYTES" sha1="SHA1" xml:space="preserve">== Summary ==</text>
      <content>
        <role>mediainfo</role>
        <origin>110</origin>
        <model>wikibase-mediainfo</model>
        <format>application/json</format>
        <text bytes="12" sha1="yyy" xml:space="preserve">{&quot;id&quot;:&quot;M9&quot;}</text>
      </content>
      <sha1>zzz</sha1>
    </revision>
    <upload>
      <timestamp>2026-01-02T03:04:14Z</timestamp>
      <contributor>
        <username>Bo</username>
        <id>8</id>
      </contributor>
      <comment>an upload</comment>
      <filename>Ring.jpg</filename>
      <src>https://wiki.example.org/images/Ring.jpg</src>
      <size>1234</size>
    </upload>
`,
    ),
    json: {
      id: 9,
      ns: 6,
      title: 'File:Ring.jpg',
      uploads: [
        {
          timestamp: '2026-01-02T03:04:14Z',
          contributor: { username: 'Bo', id: 8 },
          comment: 'an upload',
          filename: 'Ring.jpg',
          src: 'https://wiki.example.org/images/Ring.jpg',
          size: 1234,
        },
      ],
      revision: {
        id: 110,
        timestamp: '2026-01-02T03:04:13Z',
        contributor: { username: 'Ada', id: 7 },
        origin: 110,
        model: 'wikitext',
        format: 'text/x-wiki',
        bytes: 'BYTES',
        sha1: 'zzz',
        text: 'STORED',
        slots: [
          {
            role: 'mediainfo',
            origin: 110,
            model: 'wikibase-mediainfo',
            format: 'application/json',
            bytes: 12,
            sha1: 'yyy',
            text: '{"id":"M9"}',
          },
        ],
      },
    },
  },
  {
    why: 'a page without a revision, as stubs have them',
    stored: '',
    xml: page('Moved away', 0, 10, ''),
    json: { id: 10, ns: 0, title: 'Moved away' },
  },
  {
    why: 'an old dump: model and format behind the text, which has nothing but xml:space; a redirect without a valid target',
    stored: '#REDIRECT [[<bad>]]\n',
    xml: page(
      'Module:Old',
      828,
      12,
      `    <revision>
      <id>112</id>
      <timestamp>2009-01-02T03:04:05Z</timestamp>
      <contributor>
        <ip>192.0.2.1</ip>
      </contributor>
      <text xml:space="preserve">#REDIRECT [[&lt;bad&gt;]]
</text>
      <model>Scribunto</model>
      <format>text/plain</format>
    </revision>
`,
    ),
    json: {
      id: 12,
      ns: 828,
      title: 'Module:Old',
      revision: {
        id: 112,
        timestamp: '2009-01-02T03:04:05Z',
        contributor: { ip: '192.0.2.1' },
        model: 'Scribunto',
        format: 'text/plain',
        text: 'STORED',
      },
    },
  },
]

const target = new URL('../fixtures/mediawiki/', import.meta.url)
const sha1 = (text) =>
  BigInt(`0x${createHash('sha1').update(text).digest('hex')}`)
    .toString(36)
    .padStart(31, '0')

const filled = pages.map(({ stored, text = stored, xml, json }) => {
  const bytes = Buffer.byteLength(stored)
  const values = { BYTES: bytes, SHA1: sha1(stored), STORED: stored, TEXT: text }
  return {
    xml: xml.replaceAll('BYTES', String(bytes)).replaceAll('SHA1', sha1(stored)),
    line: JSON.stringify(json, (_, value) => values[value] ?? value),
  }
})
const xml = head + filled.map((page) => page.xml).join('') + foot
const bzip2 = (text) => execFileSync('bzip2', ['-9c'], { input: text })

writeFileSync(new URL('small-dump.xml', target), xml)
writeFileSync(new URL('small-dump.jsonl', target), `${filled.map((page) => page.line).join('\n')}\n`)
writeFileSync(new URL('small-dump.xml.bz2', target), bzip2(xml))
// As stub dumps are: several members.
const half = Math.floor(xml.length / 2)
writeFileSync(
  new URL('small-dump.xml.gz', target),
  Buffer.concat([gzipSync(xml.slice(0, half)), gzipSync(xml.slice(half))]),
)
// As multistream dumps are: the head, groups of pages (here three, there a hundred), the foot, and a stream of nothing.
const groups = []
for (let first = 0; first < filled.length; first += 3) {
  groups.push(
    filled
      .slice(first, first + 3)
      .map((page) => page.xml)
      .join(''),
  )
}
writeFileSync(new URL('small-dump-multistream.xml.bz2', target), Buffer.concat([head, ...groups, foot, ''].map(bzip2)))

// Writes the sample documents of ten formats that `fixtures/infer/` has: invented data, the same for each run.
//
// Usage: node scripts/make-infer-fixtures.ts

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../test/support/random.ts'

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'infer')
const WORDS =
  'sap root leaf bark wood stem xylem phloem water light cell branch seed trunk ring crown soil spring frost oak ash elm yew larch cedar'.split(
    ' ',
  )
const NAMES = [
  'Ada Wood',
  'Bo Müller',
  'Cy Nakamura',
  'Dee O’Neil',
  'Eve van Dyk',
  'Finn Åberg',
  'Gül Şahin',
  'Hal 007',
]

const random = new Random(37)
const word = () => random.pick(WORDS)
const words = (least: number, most: number) => random.many(least, most, word).join(' ')
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const sentence = () => `${capital(words(4, 9))}.`
const name = () => random.pick(NAMES)
const digits = (count: number) => String(random.below(10 ** count)).padStart(count, '0')
const two = (least: number, most: number) => String(least + random.below(most - least + 1)).padStart(2, '0')
const day = () => `${2008 + random.below(18)}-${two(1, 12)}-${two(1, 28)}`
const time = () => `${two(0, 23)}:${two(0, 59)}:${two(0, 59)}`
const milliseconds = () => `${day()}T${time()}.${digits(3)}`
const utc = () => `${day()}T${time()}Z`
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const many = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i)).join('')
const maybe = (share: number, make: () => string) => (random.chance(share) ? make() : '')
const attribute = (key: string, value: string | number) => ` ${key}="${value}"`

function posts(): string {
  const row = (i: number) => {
    const isQuestion = i < 2 || random.chance(0.5)
    const user = 1 + random.below(900)
    const body = `<p>${sentence()}</p>\n<pre><code>if (${word()} &lt; ${random.below(99)}) ${word()}()</code></pre>\n`
    return `  <row Id="${i + 4}" PostTypeId="${isQuestion ? 1 : 2}"${
      isQuestion ? maybe(0.6, () => attribute('AcceptedAnswerId', i + 5)) : attribute('ParentId', 4 + random.below(i))
    } CreationDate="${milliseconds()}" Score="${random.below(60) - 6}"${
      isQuestion ? attribute('ViewCount', 40 + random.below(90000)) : ''
    } Body="${escaped(body).replaceAll('\n', '&#xA;')}"${maybe(0.9, () => attribute('OwnerUserId', user))}${maybe(
      0.15,
      () => attribute('OwnerDisplayName', `user${1000 + random.below(9000)}`),
    )}${maybe(0.4, () => `${attribute('LastEditorUserId', 1 + random.below(900))}${attribute('LastEditDate', milliseconds())}`)}${maybe(
      0.1,
      () => attribute('LastEditorDisplayName', name()),
    )} LastActivityDate="${milliseconds()}"${
      isQuestion
        ? `${attribute('Title', escaped(capital(words(3, 8))))}${attribute('Tags', `|${words(1, 3).replaceAll(' ', '|')}|`)}${attribute('AnswerCount', random.below(9))}`
        : ''
    } CommentCount="${random.below(12)}"${isQuestion ? maybe(0.2, () => attribute('FavoriteCount', 0)) : ''}${
      isQuestion ? maybe(0.1, () => attribute('ClosedDate', milliseconds())) : ''
    }${maybe(0.1, () => attribute('CommunityOwnedDate', milliseconds()))} ContentLicense="CC BY-SA ${random.pick(['2.5', '3.0', '4.0'])}" />\n`
  }
  return `<?xml version="1.0" encoding="utf-8"?>\n<posts>\n${many(40, row)}</posts>\n`
}

function osm(): string {
  const tag = (k: string, v: string) => `    <tag k="${k}" v="${v}"/>\n`
  const meta = (id: number) =>
    `id="${id}" visible="true" version="${1 + random.below(9)}" changeset="${1000000 + random.below(9000000)}" timestamp="${utc()}" user="${name()}" uid="${1 + random.below(99999)}"`
  const tags = () =>
    `${tag('natural', 'tree')}${maybe(0.4, () => tag('name', capital(words(1, 2))))}${maybe(0.3, () => tag('height', `${random.below(30)}`))}${maybe(0.3, () => tag('ref', digits(3)))}`
  const element = (kind: string, start: string, inside: string) =>
    inside === '' ? `  <${kind} ${start}/>\n` : `  <${kind} ${start}>\n${inside}  </${kind}>\n`
  const place = () => `lat="51.${digits(7)}" lon="-0.0${digits(6)}"`
  const node = (i: number) => element('node', `${meta(i + 1)} ${place()}`, maybe(0.3, tags))
  const way = (i: number) =>
    element(
      'way',
      meta(100 + i),
      `${many(2 + random.below(6), () => `    <nd ref="${1 + random.below(60)}"/>\n`)}${tag('highway', 'footway')}${maybe(0.5, tags)}`,
    )
  const relation = (i: number) =>
    element(
      'relation',
      meta(200 + i),
      `${many(2 + random.below(3), () => `    <member type="${random.pick(['way', 'node'])}" ref="${100 + random.below(12)}" role="${random.pick(['outer', 'inner', ''])}"/>\n`)}${tag('type', 'multipolygon')}${maybe(0.5, tags)}`,
    )
  return `<?xml version="1.0" encoding="UTF-8"?>
<osm version="0.6" generator="by hand" copyright="nobody" attribution="invented" license="MIT">
  <bounds minlat="51.0000000" minlon="-0.1000000" maxlat="52.0000000" maxlon="0.1000000"/>
${many(60, node)}${many(12, way)}${many(4, relation)}</osm>\n`
}

function pubmed(): string {
  const date = (kind: string) =>
    `<${kind}><Year>${2008 + random.below(18)}</Year><Month>${two(1, 12)}</Month><Day>${two(1, 28)}</Day></${kind}>`
  const marked = () =>
    `${capital(words(2, 4))} of H<sub>2</sub>O in <i>${capital(word())} ${word()}</i>${maybe(0.4, () => ` &amp; ${words(1, 3)}`)}.`
  const author = () => {
    if (random.oneIn(9))
      return `<Author ValidYN="Y"><CollectiveName>${capital(words(2, 3))} group</CollectiveName></Author>`
    const [fore = '', ...last] = name().split(' ')
    return `<Author ValidYN="Y"><LastName>${last.join(' ')}</LastName><ForeName>${fore}</ForeName><Initials>${fore.charAt(0)}</Initials>${maybe(
      0.3,
      () => `<Identifier Source="ORCID">0000-0001-${digits(4)}-${digits(4)}</Identifier>`,
    )}${many(random.below(3), () => `<AffiliationInfo><Affiliation>${sentence()}</Affiliation></AffiliationInfo>`)}</Author>`
  }
  const heading = () =>
    `<MeshHeading><DescriptorName UI="D${digits(6)}" MajorTopicYN="${random.pick(['Y', 'N'])}">${capital(word())}</DescriptorName>${many(
      random.below(3),
      () => `<QualifierName UI="Q${digits(6)}" MajorTopicYN="${random.pick(['Y', 'N'])}">${word()}</QualifierName>`,
    )}</MeshHeading>`
  const reference = () =>
    `<Reference><Citation>${sentence()}</Citation>${maybe(0.7, () => `<ArticleIdList><ArticleId IdType="pubmed">${10000000 + random.below(9999999)}</ArticleId></ArticleIdList>`)}</Reference>`
  const status = (kind: string) =>
    `<PubMedPubDate PubStatus="${kind}"><Year>${2008 + random.below(18)}</Year><Month>${1 + random.below(12)}</Month><Day>${1 + random.below(28)}</Day>${maybe(0.6, () => `<Hour>${random.below(24)}</Hour><Minute>${random.below(60)}</Minute>`)}</PubMedPubDate>`
  const article = (i: number) => {
    const id = 90000001 + i
    return `  <PubmedArticle>
    <MedlineCitation Status="${random.pick(['MEDLINE', 'PubMed-not-MEDLINE'])}" Owner="NLM"${maybe(0.5, () => ' IndexingMethod="Automated"')}>
      <PMID Version="1">${id}</PMID>
      ${maybe(0.8, () => date('DateCompleted'))}${date('DateRevised')}
      <Article PubModel="${random.pick(['Print', 'Print-Electronic'])}">
        <Journal>${maybe(0.9, () => `<ISSN IssnType="Print">0${digits(3)}-${digits(3)}X</ISSN>`)}<JournalIssue CitedMedium="Internet"><Volume>${1 + random.below(90)}</Volume>${maybe(0.8, () => `<Issue>${random.pick(['1', '2', '3-4', 'Suppl 1'])}</Issue>`)}<PubDate>${random.chance(0.8) ? `<Year>${2008 + random.below(18)}</Year><Month>${random.pick(['Jan', 'Feb', 'Oct'])}</Month>` : `<MedlineDate>${2008 + random.below(18)} Nov-Dec</MedlineDate>`}</PubDate></JournalIssue><Title>Journal of ${word()}</Title><ISOAbbreviation>J. ${capital(word())}</ISOAbbreviation></Journal>
        <ArticleTitle>${random.chance(0.4) ? marked() : sentence()}</ArticleTitle>
        <Pagination><StartPage>${random.below(900)}</StartPage><MedlinePgn>${random.below(90)}-${90 + random.below(9)}</MedlinePgn></Pagination>
        ${maybe(0.6, () => `<ELocationID EIdType="doi" ValidYN="Y">10.0000/sap.${id}</ELocationID>`)}
        ${maybe(0.8, () => `<Abstract>${random.chance(0.5) ? many(3, (n) => `<AbstractText Label="${['AIM', 'METHODS', 'RESULTS'][n]}" NlmCategory="${['OBJECTIVE', 'METHODS', 'RESULTS'][n]}">${sentence()}${maybe(0.3, marked)}</AbstractText>`) : `<AbstractText>${sentence()} ${marked()}</AbstractText>`}${maybe(0.3, () => '<CopyrightInformation>© nobody</CopyrightInformation>')}</Abstract>`)}
        <AuthorList CompleteYN="Y">${many(1 + random.below(3), author)}</AuthorList>
        <Language>eng</Language>${maybe(0.1, () => '<Language>fre</Language>')}
        ${maybe(0.3, () => `<GrantList CompleteYN="Y"><Grant><GrantID>R01 ${digits(6)}</GrantID><Agency>${capital(word())} fund</Agency><Country>Nowhere</Country></Grant></GrantList>`)}
        <PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType>${maybe(0.4, () => '<PublicationType UI="D016454">Review</PublicationType>')}</PublicationTypeList>
      </Article>
      <MedlineJournalInfo><Country>Nowhere</Country><MedlineTA>J ${capital(word())}</MedlineTA><NlmUniqueID>0${digits(6)}</NlmUniqueID>${maybe(0.8, () => `<ISSNLinking>0${digits(3)}-${digits(4)}</ISSNLinking>`)}</MedlineJournalInfo>
      ${maybe(0.3, () => `<ChemicalList><Chemical><RegistryNumber>0</RegistryNumber><NameOfSubstance UI="D${digits(6)}">Water</NameOfSubstance></Chemical></ChemicalList>`)}
      ${maybe(0.7, () => `<MeshHeadingList>${many(2, heading)}</MeshHeadingList>`)}
      ${maybe(0.4, () => `<KeywordList Owner="NOTNLM">${many(2, () => `<Keyword MajorTopicYN="N">${word()}</Keyword>`)}</KeywordList>`)}
    </MedlineCitation>
    <PubmedData>
      <History>${status('received')}${status('pubmed')}${maybe(0.6, () => status('entrez'))}</History>
      <PublicationStatus>ppublish</PublicationStatus>
      <ArticleIdList><ArticleId IdType="pubmed">${id}</ArticleId>${maybe(0.6, () => `<ArticleId IdType="doi">10.0000/sap.${id}</ArticleId>`)}</ArticleIdList>
      ${maybe(0.4, () => `<ReferenceList>${many(1 + random.below(3), reference)}</ReferenceList>`)}
    </PubmedData>
  </PubmedArticle>\n`
  }
  return `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2026//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_260101.dtd">
<PubmedArticleSet>\n${many(9, article)}</PubmedArticleSet>\n`
}

function dblp(): string {
  const person = (kind: string) =>
    `<${kind}${maybe(0.2, () => ` orcid="0000-0002-${digits(4)}-${digits(4)}"`)}>${name()}${maybe(0.1, () => ' 0001')}</${kind}>\n`
  const title = () =>
    `<title>${capital(words(3, 7))}${maybe(0.15, () => ` in <i>O</i>(<i>n</i><sup>${1 + random.below(8)}</sup>) time`)}.</title>\n`
  const pages = () => `<pages>${random.below(500)}${maybe(0.8, () => `-${500 + random.below(400)}`)}</pages>\n`
  const year = () => `<year>${1990 + random.below(35)}</year>\n`
  const links = (key: string) =>
    `${many(random.below(3), () => `<ee${maybe(0.4, () => ' type="oa"')}>https://doi.org/10.0000/${digits(5)}</ee>\n`)}<url>db/${key}.html#${capital(word())}</url>\n`
  const entry = (i: number) => {
    const kind = random.pick([
      'article',
      'article',
      'article',
      'inproceedings',
      'inproceedings',
      'inproceedings',
      'proceedings',
      'phdthesis',
      'book',
      'www',
    ])
    const key = `${({ article: 'journals', inproceedings: 'conf', proceedings: 'conf', phdthesis: 'phd', book: 'books', www: 'homepages' } as Record<string, string>)[kind]}/${word()}/${capital(word())}${two(0, 25)}${i}`
    const start = `<${kind} mdate="${day()}" key="${key}"${kind === 'article' ? maybe(0.3, () => ' publtype="informal"') : ''}>\n`
    const body = {
      article: () =>
        `${many(1 + random.below(3), () => person('author'))}${title()}${pages()}${year()}<volume>${1 + random.below(40)}</volume>\n<journal>J. ${capital(word())}</journal>\n${maybe(0.7, () => `<number>${random.pick(['1', '2', '3/4'])}</number>\n`)}${links(key)}`,
      inproceedings: () =>
        `${many(1 + random.below(3), () => person('author'))}${title()}${pages()}${year()}<booktitle>${word().toUpperCase()}</booktitle>\n${links(key)}<crossref>conf/${word()}/${1990 + random.below(35)}</crossref>\n`,
      proceedings: () =>
        `${many(1 + random.below(2), () => person('editor'))}${title()}<booktitle>${word().toUpperCase()}</booktitle>\n<publisher>${capital(word())} Press</publisher>\n${year()}<isbn>978-0-${digits(4)}-${digits(4)}-${digits(1)}</isbn>\n${links(key)}`,
      phdthesis: () =>
        `${person('author')}${title()}${year()}<school>University of ${capital(word())}</school>\n${maybe(0.5, () => `<note type="source">${word()}</note>\n`)}`,
      book: () =>
        `${person('author')}${title()}<publisher>${capital(word())} Press</publisher>\n${year()}<isbn>978-0-${digits(4)}-${digits(4)}-${digits(1)}</isbn>\n${maybe(0.5, () => `<series href="db/series/${word()}">${capital(word())} Series</series>\n`)}`,
      www: () =>
        `${person('author')}<title>Home Page</title>\n${maybe(0.5, () => `<note type="affiliation">University of ${capital(word())}</note>\n`)}<url>https://example.org/${word()}</url>\n`,
    }[kind] as () => string
    return `${start}${body()}</${kind}>\n`
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE dblp SYSTEM "dblp.dtd">\n<dblp>\n${many(45, entry)}</dblp>\n`
}

function rss(): string {
  const week = ['Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed', 'Thu']
  const item = (i: number) => `    <item>
      <title>${escaped(`${capital(words(2, 4))}${maybe(0.3, () => ' & more')}`)}</title>
      <link>https://example.org/news/${i + 1}</link>
      <description>${random.chance(0.5) ? `<![CDATA[<p>${sentence()}</p>]]>` : sentence()}</description>
${maybe(0.8, () => `      <dc:creator>${name()}</dc:creator>\n`)}${many(random.below(3), () => `      <category${maybe(0.3, () => ' domain="https://example.org/topics"')}>${word()}</category>\n`)}${maybe(0.4, () => `      <comments>https://example.org/news/${i + 1}#comments</comments>\n`)}${maybe(0.2, () => `      <enclosure url="https://example.org/${word()}.mp3" length="${10000 + random.below(900000)}" type="audio/mpeg"/>\n`)}      <guid isPermaLink="${random.pick(['true', 'false'])}">urn:example:${i + 1}</guid>
      <pubDate>${week[i % 7]}, ${two(2, 28)} Jan 2026 ${time()} GMT</pubDate>
${maybe(0.15, () => `      <source url="https://example.org/${word()}.rss">${capital(word())}</source>\n`)}${maybe(0.7, () => `      <content:encoded><![CDATA[<p>${sentence()}</p>\n<p>${sentence()}</p>]]></content:encoded>\n`)}    </item>\n`
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
    <title>News of trees</title>
    <link>https://example.org/</link>
    <description>What grows.</description>
    <atom:link href="https://example.org/feed.rss" rel="self" type="application/rss+xml"/>
    <language>en</language>
    <lastBuildDate>Fri, 02 Jan 2026 03:04:05 GMT</lastBuildDate>
    <image><url>https://example.org/tree.png</url><title>News of trees</title><link>https://example.org/</link></image>
${many(20, item)}  </channel>\n</rss>\n`
}

function sitemap(): string {
  const url = (i: number) => `  <url>
    <loc>https://example.org/${word()}/${word()}?id=${i}&amp;page=1</loc>
${maybe(0.9, () => `    <lastmod>${random.chance(0.5) ? day() : `${day()}T${time()}+00:00`}</lastmod>\n`)}${maybe(0.6, () => `    <changefreq>${random.pick(['daily', 'weekly', 'monthly'])}</changefreq>\n`)}${maybe(0.7, () => `    <priority>${random.pick(['0.3', '0.5', '0.8', '1.0'])}</priority>\n`)}${many(random.below(10) > 6 ? 1 + random.below(3) : 0, () => `    <image:image>\n      <image:loc>https://example.org/${word()}-${digits(3)}.jpg</image:loc>\n    </image:image>\n`)}  </url>\n`
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">\n${many(50, url)}</urlset>\n`
}

function junit(): string {
  const testCase = (suite: string) => (i: number) => {
    const start = `    <testcase classname="org.example.${suite}" name="${words(1, 3).replaceAll(' ', '_')}_${i}" time="0.${digits(3)}"`
    const state = random.below(12)
    if (state === 0)
      return `${start}>\n      <failure message="expected &lt;${word()}&gt;" type="AssertionError">${sentence()}\n\tat org.example.${suite}(${suite}.java:${random.below(300)})</failure>\n    </testcase>\n`
    if (state === 1) return `${start}>\n      <skipped/>\n    </testcase>\n`
    if (state === 2)
      return `${start}>\n      <error message="${word()}" type="Error">${sentence()}</error>\n      <system-out><![CDATA[${sentence()}]]></system-out>\n    </testcase>\n`
    return `${start}/>\n`
  }
  const suite = (i: number) => {
    const title = capital(WORDS[i] as string)
    const count = 9 + random.below(9)
    return `  <testsuite name="org.example.${title}" tests="${count}" failures="${random.below(3)}" errors="${random.below(2)}" skipped="${random.below(2)}" timestamp="${day()}T${time()}" hostname="builder" time="${random.below(9)}.${digits(3)}" id="${i}">
${maybe(0.8, () => `    <properties>\n      <property name="java.version" value="21"/>\n      <property name="os.name" value="Linux"/>\n    </properties>\n`)}${many(count, testCase(title))}${maybe(0.6, () => `    <system-out><![CDATA[${sentence()}]]></system-out>\n`)}${maybe(0.5, () => '    <system-err/>\n')}  </testsuite>\n`
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="all" tests="70" failures="5" time="12.5">\n${many(6, suite)}</testsuites>\n`
}

function gpx(): string {
  const place = () => `lat="51.${digits(6)}" lon="-0.${digits(6)}"`
  const point = () => `      <trkpt ${place()}>
        <ele>${random.below(300)}.${random.below(10)}</ele>
        <time>${utc()}</time>
${maybe(0.3, () => `        <sat>${3 + random.below(9)}</sat>\n`)}${maybe(0.8, () => `        <extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>${60 + random.below(90)}</gpxtpx:hr>${maybe(0.5, () => `<gpxtpx:cad>${random.below(90)}</gpxtpx:cad>`)}</gpxtpx:TrackPointExtension></extensions>\n`)}      </trkpt>\n`
  const segment = () => `    <trkseg>\n${many(30 + random.below(9), point)}    </trkseg>\n`
  const mark = (i: number) =>
    `  <wpt ${place()}>\n    <ele>${random.below(300)}</ele>\n    <name>${two(1, 9)}${i}</name>\n    <sym>Flag</sym>\n  </wpt>\n`
  return `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="by hand" xmlns="http://www.topografix.com/GPX/1/1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1" xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">
  <metadata><name>Round of the woods</name><time>${utc()}</time></metadata>
${many(3, mark)}  <trk>
    <name>Morning</name>
    <type>running</type>
${many(2, segment)}  </trk>\n</gpx>\n`
}

function kml(): string {
  const coordinates = () => `-0.${digits(6)},51.${digits(6)},0`
  const line = (count: number) => many(count, (i) => `${i === 0 ? '' : ' '}${coordinates()}`)
  const geometry = () =>
    random.pick([
      () => `<Point><coordinates>${coordinates()}</coordinates></Point>`,
      () => `<Point><coordinates>${coordinates()}</coordinates></Point>`,
      () => `<LineString><tessellate>1</tessellate><coordinates>${line(4)}</coordinates></LineString>`,
      () =>
        `<Polygon><outerBoundaryIs><LinearRing><coordinates>${line(4)}</coordinates></LinearRing></outerBoundaryIs></Polygon>`,
    ])()
  const place = () => `      <Placemark${maybe(0.4, () => ` id="p${digits(3)}"`)}>
        <name>${capital(words(1, 2))}</name>
${maybe(0.3, () => `        <visibility>${random.below(2)}</visibility>\n`)}${maybe(0.6, () => `        <description><![CDATA[<b>${word()}</b> ${sentence()}]]></description>\n`)}${maybe(0.3, () => `        <TimeStamp><when>${day()}</when></TimeStamp>\n`)}        <styleUrl>#${random.pick(['tree', 'path'])}</styleUrl>
${maybe(0.6, () => `        <ExtendedData><Data name="height"><value>${random.below(30)}</value></Data><Data name="code"><value>${digits(3)}</value></Data></ExtendedData>\n`)}        ${geometry()}
      </Placemark>\n`
  const folder = (i: number) =>
    `    <Folder>\n      <name>Part ${i + 1}</name>\n${many(8 + random.below(8), place)}    </Folder>\n`
  const style = (id: string) =>
    `    <Style id="${id}"><IconStyle><scale>1.1</scale><Icon><href>https://example.org/${id}.png</href></Icon></IconStyle></Style>\n`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n  <Document>\n    <name>Trees</name>\n${style('tree')}${style('path')}${many(3, folder)}  </Document>\n</kml>\n`
}

function mime(): string {
  const match = () =>
    `<match type="string" value="${escaped(word())}\\x0${random.below(9)}" offset="${random.pick(['0', '0', '4', '0:64'])}"${maybe(0.2, () => ' mask="0xff00"')}`
  const type = (i: number) => {
    const group = random.pick(['application', 'text', 'image', 'audio'])
    const kind = `${word()}${i}`
    return `  <mime-type type="${group}/x-${kind}">
    <comment>${word()} document</comment>
${['de', 'fr', 'nb'].map((language) => maybe(0.6, () => `    <comment xml:lang="${language}">${word()} (${language})</comment>\n`)).join('')}${maybe(0.3, () => `    <acronym>${kind.toUpperCase()}</acronym>\n    <expanded-acronym>${capital(words(2, 3))}</expanded-acronym>\n`)}${maybe(0.3, () => '    <sub-class-of type="text/plain"/>\n')}${maybe(0.4, () => '    <generic-icon name="x-office-document"/>\n')}${maybe(0.6, () => `    <magic priority="${random.pick(['50', '60', '80'])}">\n      ${match()}/>\n${maybe(0.5, () => `      ${match()}>\n        ${match()}/>\n      </match>\n`)}    </magic>\n`)}${many(1 + random.below(2), () => `    <glob pattern="*.${word()}${digits(1)}"${maybe(0.2, () => ' weight="60"')}${maybe(0.1, () => ' case-sensitive="true"')}/>\n`)}${maybe(0.15, () => `    <root-XML namespaceURI="https://example.org/${kind}" localName="${word()}"/>\n`)}${maybe(0.4, () => `    <alias type="${group}/${kind}"/>\n`)}  </mime-type>\n`
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">\n${many(36, type)}</mime-info>\n`
}

const SAMPLES = { posts, osm, pubmed, dblp, rss, sitemap, junit, gpx, kml, mime }
for (const [title, make] of Object.entries(SAMPLES)) writeFileSync(join(FOLDER, `${title}.xml`), make())

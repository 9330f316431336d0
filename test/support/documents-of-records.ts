// Documents as people have them who read records: what they are made of is that of Stack Overflow, OpenStreetMap, PubMed and wikis.

/** A document, and what is asked of it. */
export interface DocumentOfRecords {
  readonly path: readonly string[]
  readonly fields: readonly (readonly [name: string, field: string | readonly [string]])[]
  /** So many records. */
  readonly make: (records: number) => string
}

const repeat = (count: number, make: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i + 1)).join('')
const words = (count: number) => repeat(count, (i) => `word${(i * 7919) % 1000} &lt;p&gt; é &#xA;`)

export const DOCUMENTS_OF_RECORDS: Readonly<Record<string, DocumentOfRecords>> = {
  'Stack Overflow': {
    path: ['row'],
    fields: [
      ['id', '@Id'],
      ['body', '@Body'],
    ],
    make: (records) =>
      `\uFEFF<?xml version="1.0" encoding="utf-8"?>\r\n<posts>\r\n${repeat(records, (i) => `  <row Id="${i}" PostTypeId="1" Body="${words(i % 9)}" Score="${i % 5}" />\r\n`)}</posts>`,
  },
  OpenStreetMap: {
    path: ['node', 'way', 'relation'],
    fields: [
      ['id', '@id'],
      ['refs', ['nd/@ref']],
      ['highway', 'tag[@k="highway"]/@v'],
    ],
    make: (records) =>
      `<?xml version="1.0" encoding="UTF-8"?>\n<osm version="0.6" generator="x">\n <bounds minlat="1" minlon="1" maxlat="2" maxlon="2"/>\n${repeat(
        records,
        (i) =>
          i < records * 0.7
            ? ` <node id="${i}" lat="1.${i}" lon="2.${i}"/>\n`
            : i < records * 0.9
              ? ` <way id="${i}">\n${repeat(i % 7, (n) => `  <nd ref="${n}"/>\n`)}  <tag k="highway" v="path"/>\n </way>\n`
              : ` <relation id="${i}">\n  <member type="node" ref="1" role=""/>\n </relation>\n`,
      )}</osm>\n`,
  },
  PubMed: {
    path: ['PubmedArticle'],
    fields: [
      ['pmid', 'MedlineCitation/PMID'],
      ['title', 'MedlineCitation/Article/ArticleTitle'],
      ['authors', ['MedlineCitation/Article/AuthorList/Author/LastName']],
    ],
    make: (records) =>
      `<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE PubmedArticleSet SYSTEM "http://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_190101.dtd">\n<PubmedArticleSet>\n${repeat(
        records,
        (i) =>
          `  <PubmedArticle>\n    <MedlineCitation Status="MEDLINE">\n      <PMID Version="1">${i}</PMID>\n      <Article><ArticleTitle>On <i>things</i> ${words(i % 5)}</ArticleTitle>${i % 3 ? `<AuthorList>${repeat(i % 4, (n) => `<Author><LastName>N${n}</LastName></Author>`)}</AuthorList>` : ''}</Article>\n    </MedlineCitation>\n  </PubmedArticle>\n`,
      )}</PubmedArticleSet>\n`,
  },
  'a wiki': {
    path: ['page'],
    fields: [
      ['title', 'title'],
      ['text', 'revision/text'],
    ],
    make: (records) =>
      `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="0.11" xml:lang="en">\n  <siteinfo><sitename>x</sitename></siteinfo>\n${repeat(
        records,
        (i) =>
          `  <page>\n    <title>Page ${i}</title>\n    <id>${i}</id>\n    <revision><id>${i}</id><text xml:space="preserve">${words(i % 11)}&lt;page&gt;</text></revision>\n  </page>\n`,
      )}</mediawiki>\n`,
  },
}

// What people type who ask something of any XML, of dumps and of archives, and what they type wrongly. Files are named as in `fixtures/`.

/** Questions. */
export const QUESTIONS = [
  // Formats, shapes, lists of records, kinds, paths, prefixes, conditions.
  'select item feed.rss --field title --field link --format csv',
  'select item feed.rss --field title --format tsv',
  'select item feed.rss --field title --format json',
  'select testsuite junit.xml --shape suite.shape.json',
  "select testsuite junit.xml --field 'cases[].name=testcase/@name' --field 'cases[].time:number=testcase/@time'",
  "select testsuite junit.xml --field 'names[]=testcase/@name' --field 'times[]=testcase/@time'",
  'select enclosure feed.rss --field size:integer=@length --field url=@url',
  'select item feed.rss feed.atom --path atom:entry --prefix atom=http://www.w3.org/2005/Atom --field name()',
  "select item[enclosure] feed.rss --field title --where 'title~^R'",
  "select 'item[not(enclosure)]' feed.rss --field title",
  "select 'testcase[not(@time)]' junit.xml --field @name",
  "select enclosure feed.rss --field size:integer=@length --where 'size>1000'",
  "select enclosure feed.rss --field size:integer=@length --where 'sise>1000'",
  // Nothing, or less than was there.
  'select nothing feed.rss --field title',
  'select nothing feed.rss --field title --allow-empty',
  'select item feed.rss --field title --field autor',
  "select testsuite junit.xml --field 'cases[].name=testcase/@name' --field 'cases[].tiem=testcase/@tiem'",
  "select testsuite junit.xml --field 'cases[].name=testcas/@name'",
  'select item feed.rss --field title --field autor --no-warnings',
  'select item feed.rss --field autor --limit 1',
  'select a nested.xml --field @n',
  'select a nested.xml --field @n --nested all',
  "pages small-dump.xml --titles 'Nix'",
  'pages small-dump.xml --ids 999 --fields id',
  'pages small-dump.xml --contributor Nobody --fields id',
  'pages small-dump.xml --model nothing --fields id',
  "pages small-dump.xml --titles 'xylem' --fields title",
  "pages small-dump.xml --title '^xylem' --ignore-case --fields title",
  // Sizes, tables for spreadsheets.
  'pages small-dump.xml --min-size 100 --fields title,revision.bytes --format csv',
  'pages small-dump.xml --max-size 20 --fields title,revision.bytes --format csv',
  'pages small-dump.xml --limit 2 --fields id,title --format csv --bom',
  // Members of archives, and what is compressed.
  'select row book.xlsx/xl/worksheets/sheet1.xml --field row=@r',
  "select item 'feeds.zip/*.rss' --field title",
  'select item feeds.zip/none.rss --field title',
  'select item feeds.zip --field title',
  'pages small-dump.xml.xz --fields id,title --limit 2',
] as const

/** What is mistyped, swapped or meant otherwise. */
export const WORDS = [
  'help selct',
  'selct',
  'pages feed.rss',
  'info feed.rss',
  'pages feeds.zip',
  "select 'node|way' map.osm",
  "select '//node/@id' map.osm",
  "select 'node/text()' map.osm",
  "select '..' map.osm",
  "select 'item[1]' feed.rss",
  "select item feed.rss --field 'tags=category[]'",
  'pages small-dump.xml --fields titel',
  'pages small-dump.xml --fields ID',
  'pages small-dump.xml --ns Tempalte',
  'pages small-dump.xml --ns --limit 1',
  'select feed.rss item',
  '-v',
  'completion tcsh',
] as const

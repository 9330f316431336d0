// The lines of code that each room of source/ may have, without comments, blank lines and what is generated. A room is a folder of the second level
// with all that is below it, or what stands in a folder of the first level itself; of xml/, each file. Numbers go down with the code; whoever
// raises one says why beside it.

export const BUDGETS: Readonly<Record<string, number>> = {
  '.': 24, // faults that readers found
  async: 820, // the iterators of writeXml are left here; the one pool, which three other rooms had of their own
  cli: 188,
  'cli/actions': 1378, // what is no text is replaced (onReplace); what was left out of several documents; conditions for each path; what runs pages and revisions, which was in cli/records; reading on after errors (onError); --where for pages, revisions and elements; what was left out is counted where reading ends early; reading on after errors with a grammar (~>); paths of rules and fields to what is emitted
  'cli/commands': 440, // help for conditions of one path; paths of rules and fields to what is emitted
  'cli/completion': 168,
  'cli/errors': 284, // reading on after errors (onError); what names the input of errors, which eight places did
  'cli/help': 101,
  'cli/inputs': 903, // what is no text is replaced (onReplace); published checksums, which were in cli/records; the DTD is read where documents are, late, instead of in cli/options
  // Options of formats follow from what these declare; the rooms that passed each on by its name have fewer.
  'cli/options': 1061, // what is no text is replaced (onReplace); conditions for each path; the tables of options of select, infer, check, edit, parse, types and plan, from which their types follow, instead of in cli/commands; --values; reading on after errors with a grammar (~>)
  'cli/output': 848, // writeBatches for dumps, too; reading on after errors (onError)
  'cli/plan': 1050,
  'cli/read': 1019, // what is no text is replaced (onReplace); one reader of dumps and documents, in the place of cli/records, cli/workers and half of cli/xml; what was left out is counted where reading ends early
  'cli/terminal': 183, // the line of progress makes room for others by itself
  'cli/xml': 389, // where reading continues after errors; infer counts what it replaces
  compression: 309, // reading on after errors (onError)
  'compression/bzip2': 629,
  'compression/gzip': 405,
  'compression/kernel': 564,
  'compression/zstd': 855,
  grammar: 780, // the entry of a grammar, and early warnings; the rules around an invalid value; functions; reading on after errors with a grammar (~>); @escapes; the word end, places as lines; faults that readers found; paths of rules and fields to what is emitted; types of paths to parts
  'grammar/analysis': 646, // reading on after errors with a grammar (~>); the first value of 57 rules takes half as long
  'grammar/assembly': 1114, // messages know which look-aheads have succeeded; warnings of parts that are consumed and of empty look-aheads; reading on after errors with a grammar (~>); faults that readers found; the first value of 57 rules takes half as long; paths of rules and fields to what is emitted
  'grammar/checks': 1050, // the warning that the other dialect reads a grammar otherwise; joined fields; warnings of parts that are consumed and of empty look-aheads
  'grammar/declarations': 500, // the entry in types; results of functions
  'grammar/facts': 280, // warnings of parts that are consumed and of empty look-aheads; reading on after errors with a grammar (~>); paths of rules and fields to what is emitted; faults that readers found
  'grammar/notations': 373,
  'grammar/passes': 564, // rounds of a set are spans
  'grammar/pattern': 895, // values say their slots themselves; messages know which look-aheads have succeeded; warnings of parts that are consumed and of empty look-aheads; reading on after errors with a grammar (~>); faults that readers found; paths of rules and fields to what is emitted; faults that readers found
  'grammar/syntax': 921, // kinds with parameters: @decimal(10,2); the first rule is the entry; classes by a letter: [\d]; joined fields; warnings of parts that are consumed and of empty look-aheads; reading on after errors with a grammar (~>); @escapes; the word end, places as lines
  'grammar/values': 1724, // records from templates, escapes in bytes; where a value is invalid; rounds that give nothing; joined fields; functions; reading on after errors with a grammar (~>); @escapes; faults that readers found
  grammars: 21,
  kernel: 43,
  machine: 11,
  'machine/failure': 462, // errors of values; messages know which look-aheads have succeeded; reading on after errors with a grammar (~>); faults that readers found
  'machine/kernel': 1237,
  'machine/program': 964, // messages know which look-aheads have succeeded; reading on after errors with a grammar (~>); faults that readers found; paths of rules and fields to what is emitted
  'machine/run': 1938, // messages know which look-aheads have succeeded; reading on after errors with a grammar (~>); faults that readers found
  'machine/tree': 552, // faults that readers found; the bytes that parts share are said once
  mediawiki: 662, // the length of a range, which who reads ranges worked out; and the signal that ends reading a head; cuts are read again for errors of the content alone; a range begins after the head
  'mediawiki/head': 150, // the signal of the user, beside that of leaving; the head that a plan has, which dump-range compared
  'mediawiki/lines': 732, // --where for pages, revisions and elements; no view of records that nobody looks at
  'mediawiki/multistream': 295,
  'mediawiki/names': 87,
  'mediawiki/shape': 201, // what filters by size read, in place of a shape of their own
  // The table of kinds, with what stood in xml/question, grammar/ and cli/options; and formats' declarations of their options.
  record: 678, // record-template.ts; texts of lines that are encoded together; report.ts, in the place of what ten accumulators in other rooms did; and kinds.ts, with decimals
  'record/format': 1457, // lines of several records at once; columns of decimals, and what formats declare; short texts are put into columns without the encoder
  stream: 1365, // makeTransform, in place of nine classes; the policy of errors (onError), which xml/readings had
  'stream/sources': 936, // the queue between the sides of a transform, which XmlWriter has as well
  text: 864, // Latin-1; nodes of trees as JSON, in pieces, which the command line wrote by itself; the field of an error
  'text/markup': 138, // what all that writes XML has in common
  worker: 518, // reading on after errors (onError)
  'xml/delivery.ts': 44,
  'xml/doctype': 1348,
  'xml/documents.ts': 34,
  'xml/edit': 1552,
  'xml/errors': 109, // reading on after errors (onError); what refuses paths, which was in xml/mistaken-path.ts
  'xml/events.ts': 246,
  'xml/explanation': 528,
  'xml/html-entities': 9,
  'xml/index.ts': 3,
  'xml/infer': 1343,
  'xml/kernel': 1850, // what is around records as the first has found it, which mediawiki had for dumps alone; what records have that no field has a place for; names as values
  'xml/language': 133, // what is read without kernels, which was in xml/parser
  'xml/names': 410, // a name that may go on is an answer of its own; the prefixes of namespaces, which only the writer knew
  'xml/object': 580,
  'xml/options.ts': 110, // what is no text is replaced (onReplace); reading on after errors (onError)
  'xml/output': 831, // conditions for each path; lines with something around their records, which mediawiki/lines had for dumps alone; conditions and views of functions, which mediawiki/lines had for dumps alone; --where for pages, revisions and elements; values as they are written, for the audit
  'xml/parser': 1781, // reading on after errors (onError); what is replaced is told when it is read, once, where it is; messages of limits, which were in xml/errors
  'xml/projection': 1682, // what is around records as the first has found it, which mediawiki had for dumps alone; conditions for each path; the audit of inferred shapes sees what this walks over, in place of a walk of its own; reading on after errors (onError)
  'xml/question': 2120, // conditions for each path; what elements of audited records may have; ranges, case, one of several fields, days, computed fields and their types, for all XML
  'xml/ranges': 1283, // no wait for more than shows whether a record or the end of a document is there; what is no text is replaced (onReplace); reading on after errors in several documents; reading on after errors (onError), also in dumps, with their heads; what is replaced is told when it is read, once, where it is
  'xml/reader.ts': 265, // reading on after errors (onError)
  'xml/readings': 566, // few bytes are looked at between documents; reading on after errors in several documents, and with --infer; conditions for each path; lines of the kernel where there is outer; // reading on after errors (onError); the audit of records; dumps are read by readRecords
  'xml/selector.ts': 158, // reading on after errors (onError)
  'xml/streaming.ts': 65, // the type of columns of decimals
  'xml/tape': 533,
  'xml/text': 320, // lines and columns of text that is skipped, which were in xml/ranges; what is replaced is told when it is read, once, where it is
  'xml/tree': 531, // elements that edits hold are read as all others are; what is replaced is told when it is read, once, where it is
  'xml/write': 1334,
}

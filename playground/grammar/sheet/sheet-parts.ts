// The language of grammars on one sheet. docs/grammar.md describes it in full.

/** What can be written, and what it means. */
interface SheetLine {
  /** A rule, or what a rule may match. */
  readonly code: string
  readonly meaning: string
}

export interface SheetPart {
  readonly title: string
  readonly lines: readonly SheetLine[]
}

export const SHEET: readonly SheetPart[] = [
  {
    title: 'Rules',
    lines: [
      { code: 'word ::= [a-z]+ ;', meaning: 'a rule: its name, a blank, ::=, what it matches, and ;' },
      { code: 'word ::= [a-z]+ ; # note', meaning: 'a comment, up to the end of the line' },
      { code: 'number word', meaning: 'one after the other; a name stands for what its rule matches' },
      { code: '( number word ) | word', meaning: 'the first option that matches, and then no other one' },
    ],
  },
  {
    title: 'Characters',
    lines: [
      { code: '"let"', meaning: 'this text; \\n, \\t, \\" and \\\\ as in JSON, \\x41 and \\u6728 by number' },
      { code: '~"let"', meaning: 'this text, in small or capital letters' },
      { code: '[a-z_]', meaning: 'one of these characters; the same range: "a"->"z"' },
      { code: '[^"\\n]', meaning: 'any character except these; [^] is any at all' },
      { code: '!word', meaning: 'one character, where word does not match; !"-->"* is all up to -->' },
    ],
  },
  {
    title: 'How often',
    lines: [
      { code: 'word? word* word+', meaning: 'once or not at all; any number of times; at least once' },
      { code: 'word{3} word{2,} word{2,5}', meaning: 'as often as this' },
      { code: 'word{* ","} word{+ ","}', meaning: 'a list with separators, which may be empty or not' },
    ],
  },
  {
    title: 'What is kept',
    lines: [
      { code: '%word', meaning: 'matched, and left out of the tree and the value' },
      { code: '...( number word )', meaning: 'as one text' },
    ],
  },
  {
    title: 'Values',
    lines: [
      { code: 'key:word %"=" value:number', meaning: 'fields: the rule gives a record' },
      { code: 'negative?:"-"', meaning: 'a field that says whether this matched' },
      { code: ':pair %"!" note:word', meaning: 'the fields of pair are fields of this record' },
      {
        code: 'word ( left:< op:[+] right:word )*',
        meaning: 'left:< is what the rule has made so far: a + b + c from the left',
      },
      {
        code: 'number @integer ::= [0-9]+ ;',
        meaning: 'what the text is: @integer, @int64, @number, @boolean, @date, @decimal(10,2)',
      },
      {
        code: 'text @json-string ::= "\\"" [^"]* "\\"" ;',
        meaning: 'how it is written: @json-string, @c-string, @sql-string, @percent',
      },
      { code: 'text @escapes("^n" -> "\\n") ::= [^"]* ;', meaning: 'what stands for other text in it' },
      {
        code: 'pairs @map ::= pair{* ","} ;',
        meaning: 'an object, where pair has two fields, the first of which is a text',
      },
    ],
  },
  {
    title: 'Looking ahead, and messages',
    lines: [
      { code: '&word &!number', meaning: 'only where word matches next, and number does not; consumes nothing' },
      { code: '"(" ^ word ")"', meaning: 'after ^ there is no way back: errors are reported here' },
      { code: 'word | @"a word is missing"', meaning: 'fails with this message' },
      { code: 'word @"a word" ::= [a-z]+ ;', meaning: 'what messages call the rule' },
      {
        code: 'word ::= [a-z]+ ( "\n" | end ) ~> "\n" ;',
        meaning: 'end is the end of the input; ~> says where reading continues after an error',
      },
    ],
  },
]

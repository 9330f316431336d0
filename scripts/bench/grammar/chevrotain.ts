// Chevrotain: its lexer makes all tokens, then a parser with embedded actions makes arrays of strings; a concrete syntax tree would lose the
// order of what differs in kind. Recognising makes the same and drops it.
// XML begins with the root: what may stand before it is left out.

import {
  createToken,
  EmbeddedActionsParser,
  type IMultiModeLexerDefinition,
  type IToken,
  Lexer,
  type ParserMethod,
  type TokenType,
} from 'chevrotain'
import type { Values } from './digest.ts'
import type { Engine, Language } from './engine.ts'

export const chevrotain: Engine = {
  compile(language) {
    const { tokens, makeParser } = LANGUAGES[language]
    const lexer = new Lexer(tokens, { ensureOptimizations: false, positionTracking: 'onlyOffset' })
    const parser = makeParser()
    const parse = (text: string): Values => {
      const { tokens, errors } = lexer.tokenize(text)
      if (errors[0]) throw new Error(errors[0].message)
      parser.input = tokens
      const values = parser.program()
      if (parser.errors[0]) throw parser.errors[0]
      return values
    }
    return {
      recognize({ text }) {
        parse(text)
        return true
      },
      readTree: ({ text }, digest) => digest.addValues(parse(text)),
    }
  },
}

interface Program extends EmbeddedActionsParser {
  readonly program: ParserMethod<[], Values>
}

const inner = ({ image }: IToken, start: number, end: number): string => image.slice(start, image.length - end)

// ---- JSON

const Blank = createToken({ name: 'Blank', pattern: /[ \t\r\n]+/, group: Lexer.SKIPPED, line_breaks: true })
const Text = createToken({ name: 'Text', pattern: /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/ })
const Atom = createToken({
  name: 'Atom',
  pattern: /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/,
})
const Open = createToken({ name: 'Open', pattern: '{' })
const Close = createToken({ name: 'Close', pattern: '}' })
const OpenList = createToken({ name: 'OpenList', pattern: '[' })
const CloseList = createToken({ name: 'CloseList', pattern: ']' })
const Colon = createToken({ name: 'Colon', pattern: ':' })
const Comma = createToken({ name: 'Comma', pattern: ',' })
const JSON_TOKENS: TokenType[] = [Blank, Text, Atom, Open, Close, OpenList, CloseList, Colon, Comma]

class JsonParser extends EmbeddedActionsParser implements Program {
  readonly program = this.RULE('program', () => this.SUBRULE(this.#value))

  readonly #value: ParserMethod<[], Values> = this.RULE('value', () =>
    this.OR([
      { ALT: () => inner(this.CONSUME(Text), 1, 1) },
      { ALT: () => this.CONSUME(Atom).image },
      { ALT: () => this.SUBRULE(this.#object) },
      { ALT: () => this.SUBRULE(this.#array) },
    ]),
  )

  readonly #object = this.RULE('object', () => {
    const values: Values[] = []
    this.CONSUME(Open)
    this.MANY_SEP({
      SEP: Comma,
      DEF: () => {
        values.push(inner(this.CONSUME(Text), 1, 1))
        this.CONSUME(Colon)
        values.push(this.SUBRULE(this.#value))
      },
    })
    this.CONSUME(Close)
    return values
  })

  readonly #array = this.RULE('array', () => {
    const values: Values[] = []
    this.CONSUME(OpenList)
    this.MANY_SEP({
      SEP: Comma,
      DEF: () => {
        values.push(this.SUBRULE(this.#value))
      },
    })
    this.CONSUME(CloseList)
    return values
  })

  constructor() {
    super(JSON_TOKENS)
    this.performSelfAnalysis()
  }
}

// ---- CSV

const Quoted = createToken({ name: 'Quoted', pattern: /"(?:[^"]|"")*"/, line_breaks: true })
const Plain = createToken({ name: 'Plain', pattern: /[^,"\r\n]+/ })
const Newline = createToken({ name: 'Newline', pattern: /\r\n|\n/, line_breaks: true })
const CSV_TOKENS: TokenType[] = [Comma, Plain, Quoted, Newline]

class CsvParser extends EmbeddedActionsParser implements Program {
  readonly program = this.RULE('program', () => {
    const records: Values[] = []
    this.MANY(() => {
      records.push(this.SUBRULE(this.#record))
      this.CONSUME(Newline)
    })
    return records
  })

  readonly #record = this.RULE('record', () => {
    const cells: Values[] = [this.SUBRULE(this.#cell)]
    this.MANY(() => {
      this.CONSUME(Comma)
      cells.push(this.SUBRULE2(this.#cell))
    })
    return cells
  })

  readonly #cell: ParserMethod<[], Values> = this.RULE('cell', () => {
    let value = ''
    this.OPTION(() => {
      value = this.OR([
        { ALT: () => this.CONSUME(Plain).image },
        { ALT: () => inner(this.CONSUME(Quoted), 1, 1).replaceAll('""', '"') },
      ])
    })
    return value
  })

  constructor() {
    super(CSV_TOKENS)
    this.performSelfAnalysis()
  }
}

// ---- log lines: a mode for each field, since a line has one order; a token holds the blank or line feed after it. The first field's mode
// stays at the bottom of the lexer's stack, which must not be empty.

const LOG_FIELDS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['time', /[0-9T:.Z+-]+ /],
  ['level', /(?:DEBUG|INFO|WARN|ERROR) /],
  ['host', /[a-z0-9.-]+ /],
  ['method', /[A-Z]+ /],
  ['path', /[^ \n]+ /],
  ['status', /[0-9]{3} /],
  ['size', /(?:[0-9]+|-) /],
  ['referrer', /"[^"\n]*" /],
  ['agent', /"[^"\n]*"\n/],
]

const LOG_TOKENS = LOG_FIELDS.map(([name, pattern], index) => {
  const [next] = LOG_FIELDS[(index + 1) % LOG_FIELDS.length] as (typeof LOG_FIELDS)[number]
  const modes = { ...(index > 0 && { pop_mode: true }), ...(next !== 'time' && { push_mode: next }) }
  return createToken({ name, pattern, ...modes, line_breaks: name === 'agent' })
})

const LOG_MODES: IMultiModeLexerDefinition = {
  modes: Object.fromEntries(LOG_TOKENS.map((token) => [token.name, [token]])),
  defaultMode: 'time',
}

class LogParser extends EmbeddedActionsParser implements Program {
  readonly program = this.RULE('program', () => {
    const entries: Values[] = []
    this.MANY(() => {
      entries.push(this.SUBRULE(this.#entry))
    })
    return entries
  })

  readonly #entry = this.RULE('entry', () =>
    LOG_TOKENS.map((token, index): Values => {
      const cut = index < 7 ? 0 : 1
      return inner(this.CONSUME(token), cut, 1 + cut)
    }),
  )

  constructor() {
    super(LOG_MODES)
    this.performSelfAnalysis()
  }
}

// ---- XML

const NAME = '[A-Za-z_:\\u0080-\\uffff][A-Za-z_:0-9.\\-\\u0080-\\uffff]*'
const BLANKS = '[ \\t\\r\\n]'

const Comment = createToken({ name: 'Comment', pattern: /<!--(?:[^-]|-(?!-))*-->/, line_breaks: true })
const Cdata = createToken({ name: 'Cdata', pattern: /<!\[CDATA\[(?:[^\]]|\](?!\]>))*\]\]>/, line_breaks: true })
const Instruction = createToken({
  name: 'Instruction',
  pattern: new RegExp(`<\\?${NAME}(?:${BLANKS}+(?:[^?]|\\?(?!>))*)?\\?>`),
  line_breaks: true,
})
const EndTag = createToken({ name: 'EndTag', pattern: new RegExp(`</${NAME}${BLANKS}*>`), line_breaks: true })
const StartTag = createToken({ name: 'StartTag', pattern: new RegExp(`<${NAME}`), push_mode: 'tag' })
const Content = createToken({ name: 'Content', pattern: /[^<]+/, line_breaks: true })
const Name = createToken({ name: 'Name', pattern: new RegExp(NAME) })
const Equals = createToken({ name: 'Equals', pattern: '=' })
const Value = createToken({ name: 'Value', pattern: /"[^"<]*"|'[^'<]*'/, line_breaks: true })
const Empty = createToken({ name: 'Empty', pattern: '/>', pop_mode: true })
const TagEnd = createToken({ name: 'TagEnd', pattern: '>', pop_mode: true })
const XML_MODES: IMultiModeLexerDefinition = {
  modes: {
    content: [Content, EndTag, StartTag, Comment, Cdata, Instruction],
    tag: [Blank, Name, Equals, Value, Empty, TagEnd],
  },
  defaultMode: 'content',
}

class XmlParser extends EmbeddedActionsParser implements Program {
  readonly program = this.RULE('program', () => {
    const element = this.SUBRULE(this.#element)
    this.OPTION(() => this.CONSUME(Content))
    return element
  })

  readonly #element: ParserMethod<[], Values> = this.RULE('element', () => {
    const values: Values[] = [inner(this.CONSUME(StartTag), 1, 0)]
    this.MANY(() => {
      values.push(this.CONSUME(Name).image)
      this.CONSUME(Equals)
      values.push(inner(this.CONSUME(Value), 1, 1))
    })
    this.OR([
      { ALT: () => this.CONSUME(Empty) },
      {
        ALT: () => {
          this.CONSUME(TagEnd)
          this.MANY2(() => {
            values.push(this.SUBRULE(this.#piece))
          })
          this.CONSUME(EndTag)
        },
      },
    ])
    return values
  })

  readonly #piece: ParserMethod<[], Values> = this.RULE('piece', () =>
    this.OR([
      { ALT: () => this.CONSUME(Content).image },
      { ALT: () => this.SUBRULE(this.#element) },
      { ALT: () => inner(this.CONSUME(Comment), 4, 3) },
      { ALT: () => inner(this.CONSUME(Cdata), 9, 3) },
      { ALT: () => splitInstruction(this.CONSUME(Instruction).image) },
    ]),
  )

  constructor() {
    super(XML_MODES)
    this.performSelfAnalysis()
  }
}

/** Its target, and its data where there is any. */
function splitInstruction(text: string): Values {
  const [, target = '', data] = /^<\?([^ \t\r\n?]+)(?:[ \t\r\n]+([\s\S]*))?\?>$/.exec(text) ?? []
  return [target, data]
}

interface LanguageParts {
  readonly tokens: TokenType[] | IMultiModeLexerDefinition
  readonly makeParser: () => Program
}

const LANGUAGES: Readonly<Record<Language, LanguageParts>> = {
  json: { tokens: JSON_TOKENS, makeParser: () => new JsonParser() },
  csv: { tokens: CSV_TOKENS, makeParser: () => new CsvParser() },
  log: { tokens: LOG_MODES, makeParser: () => new LogParser() },
  xml: { tokens: XML_MODES, makeParser: () => new XmlParser() },
}

// Grammars to begin with, each with an input: one to understand at first sight, and those of the project's tests.

import shopping from 'text:./first/shopping.bnf'
import shoppingInput from 'text:./first/shopping.txt'
import access from 'text:../../fixtures/grammar/access/access.bnf'
import accessInput from 'text:../../fixtures/grammar/access/lines.input.log'
import arithmetic from 'text:../../fixtures/grammar/arithmetic/arithmetic.bnf'
import arithmeticInput from 'text:../../fixtures/grammar/arithmetic/definitions.input.txt'
import bnf from 'text:../../fixtures/grammar/bnf/bnf.bnf'
import bnfInput from 'text:../../fixtures/grammar/bnf/operators.input.bnf'
import csv from 'text:../../fixtures/grammar/csv/csv.bnf'
import csvInput from 'text:../../fixtures/grammar/csv/quoted.input.csv'
import ini from 'text:../../fixtures/grammar/ini/ini.bnf'
import iniInput from 'text:../../fixtures/grammar/ini/sections.input.ini'
import json from 'text:../../fixtures/grammar/json/json.bnf'
import jsonInput from 'text:../../fixtures/grammar/json/object.input.json'
import logInput from 'text:../../fixtures/grammar/log/lines.input.log'
import log from 'text:../../fixtures/grammar/log/log.bnf'
import expressionsInput from 'text:../../fixtures/grammar/s-expression/define.input.sexp'
import expressions from 'text:../../fixtures/grammar/s-expression/s-expression.bnf'
import xmlInput from 'text:../../fixtures/grammar/xml/document.input.xml'
import xml from 'text:../../fixtures/grammar/xml/xml.bnf'

export interface Example {
  readonly label: string
  readonly grammar: string
  readonly input: string
}

const SHOPPING: Example = { label: 'Shopping list', grammar: shopping, input: shoppingInput }

/** Both dialects read them in the same way; all begin with `program`. */
export const examples: readonly [Example, ...Example[]] = [
  SHOPPING,
  { label: 'Access log, with fields', grammar: access, input: accessInput },
  { label: 'Arithmetic', grammar: arithmetic, input: arithmeticInput },
  { label: 'BNF, which reads grammars', grammar: bnf, input: bnfInput },
  { label: 'CSV', grammar: csv, input: csvInput },
  { label: 'INI files', grammar: ini, input: iniInput },
  { label: 'JSON', grammar: json, input: jsonInput },
  { label: 'Log of a web server', grammar: log, input: logInput },
  { label: 'S-expressions', grammar: expressions, input: expressionsInput },
  { label: 'XML', grammar: xml, input: xmlInput },
]

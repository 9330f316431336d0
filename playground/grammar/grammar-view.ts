// Brings the editors, the worker, the tree and the rules together.

import type { Problem, Rule } from 'xylem/grammar'
import { element } from '../shell/element.ts'
import type { Frame, Place, View } from '../shell/view.ts'
import { Editor } from './editor/editor.ts'
import { notationColors } from './editor/notation-colors.ts'
import { AddressKeeper } from './link/address-keeper.ts'
import { type Draft, decodeDraft, describeDamage } from './link/permalink.ts'
import { ProblemList } from './problem-list.ts'
import type { GrammarAnswer, ParseFailure } from './protocol.ts'
import { ResultPanel } from './result-panel.ts'
import { RuleList } from './rules/rule-list.ts'
import { Runner } from './runner.ts'
import { LanguageSheet } from './sheet/language-sheet.ts'
import { Toolbar } from './toolbar.ts'
import { type FlatTree, findInnermost, findRule } from './tree/flat-tree.ts'
import { ValuePanel } from './value-panel.ts'

/** Milliseconds without a key after which the texts are read. */
const PAUSE = 150
const NOT_CHECKED = 'not checked: takes too long'

export interface Opening {
  /** What the fragment held. */
  readonly address: string
  /** Something to say first. */
  readonly notice: string | undefined
}

export class GrammarView implements View {
  readonly #grammar: Editor
  readonly #input: Editor
  readonly #toolbar: Toolbar
  readonly #problems = new ProblemList({
    onGoTo: (range) => this.#grammar.goTo(range),
    onRewrite: (replacement) => this.#grammar.replace(replacement),
  })
  readonly #sheet = new LanguageSheet()
  readonly #rules = new RuleList((range) => this.#grammar.goTo(range))
  readonly #runner: Runner
  readonly #address: AddressKeeper
  readonly #result: ResultPanel
  readonly #value = new ValuePanel()
  readonly #notice = element('div', { class: 'error', role: 'alert', hidden: true })
  #draft: Draft
  /** What the worker was asked about. */
  #running: Draft
  /** The tree that is shown, and the rules by their names. */
  #shown: FlatTree | undefined
  #ruleMap: ReadonlyMap<string, Rule> = new Map()
  /** Whether there is a value with the tree. */
  #hasValue = false
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The grammar whose problems are listed. */
  #judged = ''
  /** Counts links, so that a slow one does not replace a later one. */
  #visits = 0
  /** What was here before another address was visited, if it is too long for an address. */
  #unkept: Draft | undefined

  constructor(container: HTMLElement, frame: Frame, draft: Draft, { address, notice }: Opening) {
    this.#draft = draft
    this.#running = draft
    const onChange = (): void => this.#onEdit()
    this.#grammar = new Editor({
      label: 'Grammar',
      beside: this.#sheet.button,
      name: 'grammar',
      text: draft.grammar,
      extensions: notationColors,
      onChange,
    })
    this.#input = new Editor({
      label: 'Input',
      name: 'input',
      text: draft.input,
      onChange,
      onCursor: (index) => this.#selectAt(index),
    })
    this.#toolbar = new Toolbar({
      onExample: ({ grammar, input }) => this.#replace({ grammar, input, entry: '', dialect: 'xylem' }),
      onDialect: (dialect) => this.#choose({ dialect }),
      onEntry: (entry) => this.#choose({ entry }),
      onCopy: () => this.#address.copy(this.#draft),
    })
    this.#result = new ResultPanel({
      onPoint: (node) => this.#markNode(node, false),
      onChoose: (node) => this.#markNode(node, true),
      onGoToInput: (start) => this.#input.goTo({ start, end: start }),
      onGoToRule: (rule) => this.#goToRule(this.#ruleMap.get(rule)),
    })
    this.#runner = new Runner({
      onAnswer: (answer) => this.#hear(answer),
      onTimeout: (seconds, hasResult) => this.#onTimeout(seconds, hasResult),
      onFailure: (message) => this.#onFailure(message),
    })
    this.#address = new AddressKeeper(frame, address, (fits) => this.#toolbar.showLink(fits))
    this.#fill(container)
    this.#say(notice)
    this.#showDraft()
    this.#run()
  }

  get wouldLose(): boolean {
    return !this.#address.isKept || this.#unkept !== undefined
  }

  /** Shows what a link holds. A link to the view alone changes nothing, unless it leads back to what no address could hold. */
  async visit({ address }: Place): Promise<void> {
    const visit = ++this.#visits
    if (address === '') {
      if (this.#unkept) this.#replace(this.#unkept)
      else this.#address.restore()
      this.#unkept = undefined
      return
    }
    try {
      const draft = await decodeDraft(address)
      if (visit !== this.#visits) return
      if (!this.#address.isKept) this.#unkept = this.#draft
      this.#replace(draft)
    } catch (error) {
      if (visit !== this.#visits) return
      this.#say(`${describeDamage(error)} What was here before is shown.`)
      this.#address.restore()
    }
  }

  #say(notice: string | undefined): void {
    this.#notice.hidden = notice === undefined
    this.#notice.textContent = notice ?? ''
  }

  #fill(container: HTMLElement): void {
    const lead = 'Write a grammar and see how it reads an input.'
    const title = element('div', {}, element('h1', {}, 'Grammar'), element('p', { class: 'lead' }, lead))
    const left = element('div', { class: 'grammar-column' }, this.#grammar.element, this.#problems.element)
    const results = element('div', { class: 'grammar-results' }, this.#result.element, this.#value.element)
    container.append(
      element('div', { class: 'grammar-head' }, title, this.#toolbar.element),
      this.#notice,
      element('div', { class: 'grammar-desk' }, left, this.#sheet.element, this.#input.element, results),
      this.#rules.element,
    )
  }

  /** Shows something else in place of all that there is. */
  #replace(draft: Draft): void {
    this.#grammar.setText(draft.grammar)
    this.#input.setText(draft.input)
    this.#say(undefined)
    this.#draft = draft
    this.#showDraft()
    this.#run()
    this.#address.keep(draft)
  }

  #choose(chosen: Partial<Draft>): void {
    this.#draft = { ...this.#draft, ...chosen }
    this.#run()
    this.#address.keep(this.#draft)
  }

  #onEdit(): void {
    this.#draft = { ...this.#draft, grammar: this.#grammar.text, input: this.#input.text }
    this.#showDraft()
    this.#result.showParsing()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#run(), PAUSE)
    this.#address.keep(this.#draft)
  }

  #showDraft(): void {
    const { grammar, input, dialect } = this.#draft
    this.#toolbar.showExample(grammar, input)
    this.#toolbar.showDialect(dialect)
  }

  #run(): void {
    clearTimeout(this.#timer)
    this.#running = this.#draft
    this.#result.showParsing()
    this.#runner.run(this.#draft)
  }

  #hear(answer: GrammarAnswer): void {
    // What is said about an earlier text would be at wrong places.
    if (this.#running !== this.#draft) return
    switch (answer.type) {
      case 'problems':
        this.#showProblems(answer.problems)
        this.#rules.hide()
        this.#forgetTree()
        this.#result.showUnusable(answer.errorCount)
        break
      case 'rules':
        this.#ruleMap = new Map(answer.rules.map((rule) => [rule.name, rule]))
        this.#toolbar.showRules(answer.rules, answer.entry)
        this.#rules.show(answer.rules, this.#draft.grammar, this.#draft.dialect)
        break
      case 'tree':
        this.#shown = answer.tree
        this.#result.showTree(answer.tree, this.#draft.input, answer)
        this.#input.showDiagnostics([])
        this.#hasValue = false
        break
      case 'value':
        this.#value.show(answer)
        this.#hasValue = true
        break
      case 'failure':
        this.#showFailure(answer.failure)
        break
      case 'warnings':
        this.#showProblems(answer.warnings)
        if (!this.#hasValue) this.#value.hide()
        break
      case 'verdicts':
        this.#rules.showVerdicts(answer.verdicts)
        break
      case 'done':
        if (!answer.isComplete) this.#rules.endVerdicts(NOT_CHECKED)
    }
  }

  #showFailure(failure: ParseFailure): void {
    const { index, message } = failure
    this.#forgetTree()
    this.#result.showFailure(failure)
    if (index !== undefined) this.#input.showDiagnostics([{ from: index, to: index + 1, severity: 'error', message }])
  }

  #showProblems(problems: readonly Problem[]): void {
    this.#judged = this.#draft.grammar
    this.#problems.show(problems)
    this.#grammar.showDiagnostics(
      problems.map(({ start, end, severity, message, suggestion }) => ({
        from: start,
        to: end,
        severity,
        message: suggestion === undefined ? message : `${message}\n${suggestion}`,
      })),
    )
  }

  #onTimeout(seconds: number, hasResult: boolean): void {
    this.#rules.endVerdicts(NOT_CHECKED)
    if (hasResult) return
    this.#forgetTree()
    // Warnings come after the result.
    if (this.#judged !== this.#draft.grammar) this.#showProblems([])
    this.#result.showTimeout(seconds)
  }

  #onFailure(message: string): void {
    this.#forgetTree()
    this.#result.showStartFailure(message)
  }

  #forgetTree(): void {
    this.#shown = undefined
    this.#value.hide()
    this.#markNode(undefined, false)
    this.#input.showDiagnostics([])
  }

  #markNode(node: number | undefined, reveal: boolean): void {
    if (!this.#shown || node === undefined) {
      this.#grammar.mark(undefined)
      this.#input.mark(undefined)
      return
    }
    const { start, end } = this.#shown
    const name = findRule(this.#shown, node)
    this.#input.mark({ start: start[node] ?? 0, end: end[node] ?? 0 }, reveal)
    this.#grammar.mark(name === undefined ? undefined : this.#ruleMap.get(name)?.at, true)
  }

  #goToRule(rule: Rule | undefined): void {
    if (rule) this.#grammar.goTo(rule.nameAt)
  }

  #selectAt(index: number): void {
    const node = this.#shown && findInnermost(this.#shown, index)
    if (node === undefined) return
    this.#result.select(node)
    this.#markNode(node, false)
  }
}

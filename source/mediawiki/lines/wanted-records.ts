// Which records of a dump are wanted: by options, by conditions on fields, and by a function. What they do not look at is not decoded.

import type { Report } from '../../record/report.ts'
import { decider } from '../../stream/options.ts'
import { FieldView } from '../../xml/output/field-view.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import { type FieldPlan, planShape } from '../../xml/question/plan.ts'
import type { XmlShape } from '../../xml/question/shape.ts'
import { planWhere, readByWhere, type WherePlan } from '../../xml/question/where.ts'
import { PREFIXES, type RecordKind } from './added-fields.ts'
import { computedFields, conditionsOf } from './filter-conditions.ts'
import { chooseFields } from './page-form.ts'
import type { LineFilter } from './page-lines.ts'
import { type PageRevisionTraits, type PageTraits, TRAITS } from './page-traits.ts'
import type { SeenRecord } from './record-counters.ts'

export class WantedRecords<Traits extends object> {
  /** What is read of the records. */
  readonly shape: XmlShape
  readonly #kind: RecordKind
  /** What must hold of the page of a revision; and of a record, without that. */
  readonly #ofPage: readonly WherePlan[]
  readonly #ofRecord: readonly WherePlan[]
  readonly #isWanted: ((record: Traits) => boolean) | undefined
  readonly #view: FieldView
  /** Whether the page of the last revision is wanted, and where it begins. */
  #page: { readonly start: number | undefined; readonly isWanted: boolean } | undefined

  /** `report`: what is counted of the records. */
  constructor(kind: RecordKind, filter: LineFilter<Traits>, report: Pick<Report<SeenRecord, object>, 'fields'>) {
    const { choice, isWanted, where = {}, conditions = {} } = filter
    const [asked, computed] = [conditionsOf(kind, where), computedFields(kind, where)]
    const seen = TRAITS.flatMap((names, i) => names.map((name) => PREFIXES[kind][i] + name))
    const own = [...readByWhere(asked, computed), ...readByWhere(conditions), ...(isWanted ? seen : [])]
    const read = { looks: [...own, ...report.fields()], checked: report.fields(true) }
    // Options and functions see timestamps as texts, conditions as dates, whatever is written.
    const planAs = (hasDates: boolean) => planShape(chooseFields(kind, choice, read, hasDates))
    const texts = planAs(false)
    const ofFields = Object.keys(conditions).length > 0 ? planWhere(conditions, planAs(true)) : []
    const plans = [...planWhere(asked, texts, computed), ...ofFields]
    const isOfPage = ({ fields }: WherePlan) => fields.every(({ path: [first] }) => first?.record?.outer)
    const hasField = ({ fullName }: FieldPlan) => seen.some((name) => `${name}.`.startsWith(`${fullName}.`))
    this.shape = chooseFields(kind, choice, read)
    this.#kind = kind
    this.#isWanted = isWanted && decider('isWanted', isWanted)
    this.#ofPage = plans.filter(isOfPage)
    this.#ofRecord = plans.filter((plan) => !isOfPage(plan))
    this.#view = new FieldView(texts, 'seen', hasField)
  }

  /** Whether all conditions hold of a record. */
  hold(record: RecordView): boolean {
    if (!this.#decidePage(record)) return false
    for (const condition of this.#ofRecord) if (!record.satisfies(condition)) return false
    return true
  }

  /** Whether anything must hold. */
  get hasConditions(): boolean {
    return this.#ofPage.length + this.#ofRecord.length > 0
  }

  /** Whether the conditions on the page of a revision hold: decided once. */
  #decidePage(record: RecordView): boolean {
    if (this.#ofPage.length === 0) return true
    const start = record.startOf('page')
    const known = this.#page?.start === start ? this.#page : undefined
    const isWanted = () => this.#ofPage.every((condition) => record.satisfies(condition))
    this.#page = known ?? { start, isWanted: isWanted() }
    return this.#page.isWanted
  }

  /** What is seen of a record. */
  see(record: RecordView): SeenRecord {
    const seen = record.see<object>(this.#view)
    const isNewPage = this.#kind === 'pages'
    const around = isNewPage ? (seen as PageTraits) : (seen as PageRevisionTraits).page
    const revisionOf = () => (isNewPage ? (seen as PageTraits).revision : (seen as PageRevisionTraits))
    return { record, page: around, revisionOf, isNewPage, made: undefined }
  }

  /** Whether the function of the user, if there is one, wants a record. */
  accepts({ page, revisionOf }: SeenRecord): boolean {
    return !this.#isWanted || this.#isWanted((this.#kind === 'pages' ? page : revisionOf()) as Traits)
  }
}

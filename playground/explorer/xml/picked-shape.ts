// A shape that a visitor puts together by picking paths.

import type { PickedElement, PickedField, PickedShape, StructureNode } from '../protocol.ts'

/** Fields that are picked at first. */
const FIRST_FIELDS = 12

/** A path that can be picked as a field of a record. */
export interface FieldChoice {
  /** From the record's element: `author/name`, `@id`, or `.` for its own text. */
  readonly path: string
  /** Whether a record may have several. */
  readonly isList: boolean
  readonly example: string | undefined
  readonly count: number
}

/** All fields that records of an element may have, in the order in which they were seen. */
export function listChoices(record: StructureNode): FieldChoice[] {
  const choices: FieldChoice[] = []
  const add = (node: StructureNode, path: string, isList: boolean) => {
    for (const { name, example, count } of node.attributes) {
      choices.push({ path: path === '' ? `@${name}` : `${path}/@${name}`, isList, example, count })
    }
    if (node.example !== undefined) {
      choices.push({ path: path === '' ? '.' : path, isList, example: node.example, count: node.count })
    }
    for (const child of node.children) {
      add(child, path === '' ? child.name : `${path}/${child.name}`, isList || child.most > 1)
    }
  }
  add(record, '', false)
  return choices
}

/** The shape that is proposed for records of an element. Namespaces are no facts of a record. */
export function proposeShape(record: PickedElement): PickedShape {
  const shape: PickedShape = { record: record.path, fields: [] }
  return listChoices(record)
    .filter(({ path }) => !/(?:^|\/)@xmlns(?::|$)/.test(path))
    .slice(0, FIRST_FIELDS)
    .reduce((picked, choice) => toggleField(picked, choice), shape)
}

/** The shape with lists also where a record was seen since to have several: otherwise all but the first would be left out. */
export function updateLists(shape: PickedShape, choices: readonly FieldChoice[]): PickedShape {
  const lists = new Set(choices.filter(({ isList }) => isList).map(({ path }) => path))
  return {
    ...shape,
    fields: shape.fields.map((field) => ({ ...field, isList: field.isList || lists.has(field.path) })),
  }
}

/** The shape with a field, or without it if it has it. */
export function toggleField(shape: PickedShape, { path, isList }: Pick<FieldChoice, 'path' | 'isList'>): PickedShape {
  const others = shape.fields.filter((field) => field.path !== path)
  if (others.length < shape.fields.length) return { ...shape, fields: others }
  return { ...shape, fields: [...others, { name: nameField(path, others), path, isList }] }
}

/** A name that no other field has: the last step, and more steps where that is taken. */
function nameField(path: string, others: readonly PickedField[]): string {
  const steps = path === '.' ? ['text'] : path.split('/').map((step) => step.replace(/^@/, '').replaceAll(':', '_'))
  // No field of a record may be called so.
  const taken = new Set(['__proto__', ...others.map(({ name }) => name)])
  for (let from = steps.length - 1; from >= 0; from--) {
    const name = steps.slice(from).join('_')
    if (!taken.has(name)) return name
  }
  for (let i = 2; ; i++) {
    const name = `${steps.join('_')}_${i}`
    if (!taken.has(name)) return name
  }
}

/** The lines of a program that reads such records. */
export function showProgram({ record, fields }: PickedShape): string {
  const lines = fields.map(({ name, path, isList }) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
    return `  ${key}: ${isList ? `[${JSON.stringify(path)}]` : JSON.stringify(path)},`
  })
  return [
    "import { readXml } from 'xylem/xml/streaming'",
    '',
    'const shape = {',
    ...lines,
    '} as const',
    `for await (const record of readXml(source).records(${JSON.stringify(`/${record}`)}, shape)) console.log(record)`,
  ].join('\n')
}

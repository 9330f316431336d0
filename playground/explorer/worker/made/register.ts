// A register of trees: the same element again and again, with attributes, fields and lists.

import type { MakeBlock } from './made-document.ts'
import { ADJECTIVES, Dice, fill, PEOPLE, TOWNS, TREES, writeSentences } from './plants.ts'

const RECORDS = 700
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<register>\n  <updated>2026-01-02</updated>\n'
const END = '</register>\n'

export const makeRegisterBlock: MakeBlock = (number, { size, isFirst, isLast }) => {
  const dice = new Dice(number)
  let made = isFirst ? HEAD : ''
  const end = isLast ? END : ''
  for (let i = 1; i < RECORDS; i++) made += makeTree(number * RECORDS + i, dice, undefined)
  return made + makeTree(number * RECORDS + RECORDS, dice, size - end.length - made.length) + end
}

/** A tree, as it comes or with exactly so many characters. */
function makeTree(id: number, dice: Dice, exactly: number | undefined): string {
  const year = 1850 + dice.below(170)
  const month = String(1 + dice.below(12)).padStart(2, '0')
  const head = `  <tree id="${id}" planted="${year}-${month}-01">
    <name>${dice.pick(ADJECTIVES)} ${dice.pick(TREES)}</name>
    <height unit="m">${3 + dice.below(30)}.${dice.below(10)}</height>
    <girth unit="cm">${20 + dice.below(400)}</girth>
    <place town="${dice.pick(TOWNS)}">${dice.pick(TREES)} lane ${1 + dice.below(99)}</place>
`
  const visits = Array.from(
    { length: dice.below(3) },
    () => `    <visit by="${dice.pick(PEOPLE)}">${2000 + dice.below(26)}</visit>\n`,
  ).join('')
  const tail = '  </tree>\n'
  const note = dice.below(4) === 0 ? writeSentences(dice, 60) : ''
  const others = head.length + visits.length + tail.length + '    <note></note>\n'.length
  const text = exactly === undefined ? note : fill(exactly - others)
  return `${head}${text === '' ? '' : `    <note>${text}</note>\n`}${visits}${tail}`
}

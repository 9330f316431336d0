// Words that documents which are made consist of.

/** Random numbers that are the same each time for the same seed. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = (seed + 1) * 0x9e3779b1
  }

  /** From 0 up to, and without, a limit. */
  below(limit: number): number {
    // Marsaglia's xorshift.
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return (this.#state >>> 0) % limit
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value
  }
}

const list = (words: string): readonly string[] => words.split(', ')

export const TREES = list(
  'alder, apple, ash, aspen, beech, birch, cedar, cherry, chestnut, cypress, elder, elm, fir, hawthorn, hazel, hemlock, hickory, holly, hornbeam, juniper, larch, lime, maple, medlar, mulberry, oak, olive, pear, pine, plane, plum, poplar, quince, rowan, spruce, sycamore, walnut, whitebeam, willow, yew',
)
export const ADJECTIVES = list(
  'alpine, ancient, black, blue, coastal, common, creeping, dwarf, eastern, evergreen, giant, golden, great, green, grey, hairy, highland, hybrid, lesser, lowland, mountain, noble, northern, pale, paper, purple, red, river, rough, sharp-leaved, silver, smooth, southern, stone, swamp, sweet, water, weeping, white, wild',
)
export const TOPICS = list(
  'Anatomy, Bark, Blossoms, Branches, Buds, Cambium, Diseases, Distribution, Fruit, Fungi, Genetics, Growth, Growth rings, Habitat, Heartwood, History, Leaves, Names, Phloem, Pollen, Roots, Sap, Seeds, Uses, Xylem',
)
export const PEOPLE = list('Ada, Bo, Chandra, Dmitri, Elif, Femi, Grace, Hana, Ines, Jonas, Kofi, Lena')
export const TOWNS = list(
  'Ashby, Birkenau, Carvalhal, Dubrovka, Elmshorn, Fresno, Gdynia, Hazelwood, Lipa, Nogales, Oakham, Tannenberg',
)

const SENTENCES = [
  'Water rises from the roots to the leaves in vessels, which are the walls of dead cells.',
  'Rings are wide in wet years and narrow in dry ones, so that a trunk keeps a record of its weather.',
  'The bark is smooth at first, and breaks into plates when the tree is about thirty years old.',
  'Flowers appear before the leaves, and are visited by bees on the first warm days.',
  'Its wood is hard and heavy, and was used for wheels, ladders and the handles of tools.',
  'Seeds need a cold winter before they germinate.',
  'In summer, a large tree loses some hundred litres of water on one day.',
  'Sugar moves down in the phloem, through cells that stay alive.',
  'Old trees are hollow, which does not harm them: the heartwood carries no water.',
  'Its roots live together with fungi, which bring phosphorus and get sugar.',
  'It grows on chalk as well as on sand, from the coast up to the tree line.',
  'Caterpillars of several moths feed on its leaves.',
] as const

/** Sentences of so many characters, or a few more. */
export function writeSentences(dice: Dice, length: number): string {
  let text = ''
  while (text.length < length) text += `${text === '' ? '' : ' '}${dice.pick(SENTENCES)}`
  return text
}

/** Words of exactly so many characters. */
export function fill(length: number): string {
  return 'sap rises in the wood, '.repeat(Math.ceil(length / 23)).slice(0, length)
}

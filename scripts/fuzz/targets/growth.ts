// Shapes of inputs that were quadratic once, or are like those: four times as much takes about four times as long.

import { type GrowthShape, growthOf, MOST_GROWTH } from '../../../test/support/growth.ts'
import { GRAMMAR_SHAPES } from '../growth/grammar-shapes.ts'
import { XML_SHAPES } from '../growth/xml-shapes.ts'
import type { Target } from '../target.ts'

const SHAPES: Readonly<Record<string, GrowthShape>> = { ...XML_SHAPES, ...GRAMMAR_SHAPES }

export const growth: Target = {
  name: 'growth',
  make(random) {
    const names = Object.keys(SHAPES)
    return { parts: [], settings: { shape: names[random.below(names.length)] as string } }
  },
  async judge({ settings }) {
    const times = await growthOf(SHAPES[settings.shape as string] as GrowthShape)
    return times < MOST_GROWTH
      ? undefined
      : `${settings.shape}: four times as much takes ${times.toFixed(1)} times as long`
  },
}

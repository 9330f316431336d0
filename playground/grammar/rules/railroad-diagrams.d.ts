// The part of the package `railroad-diagrams` that is used.

declare module 'railroad-diagrams' {
  /** A part of a drawing. `attrs` are the attributes of its element. */
  export interface Item {
    attrs: Record<string, string>
  }
  export function Diagram(...items: Item[]): { toSVG(): SVGSVGElement }
  export function Sequence(...items: Item[]): Item
  export function Choice(normal: number, ...items: Item[]): Item
  export function Optional(item: Item): Item
  export function OneOrMore(item: Item, back?: Item): Item
  export function Terminal(text: string): Item
  export function NonTerminal(text: string): Item
  export function Comment(text: string): Item
  export function Skip(): Item
}

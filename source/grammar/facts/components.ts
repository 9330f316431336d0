// The cycles of a graph.

/**
 * The strongly connected components of a graph that can be reached from some nodes: sets of nodes each of which leads to all others. A component comes
 * before those that lead to it. Without recursion (Tarjan, "Depth-first search and linear graph algorithms", 1972).
 */
export function findComponents<Node>(from: Iterable<Node>, nextOf: (node: Node) => Iterable<Node>): Node[][] {
  const components: Node[][] = []
  /** The order in which nodes were come to, and the first of those open that each leads to; those that are done are none. */
  const order = new Map<Node, number>()
  const lowest = new Map<Node, number>()
  const open: Node[] = []
  const path: { readonly node: Node; readonly rest: Iterator<Node> }[] = []
  const enter = (node: Node): void => {
    order.set(node, order.size)
    lowest.set(node, order.size - 1)
    open.push(node)
    path.push({ node, rest: nextOf(node)[Symbol.iterator]() })
  }
  const lower = (node: Node, to: number): void => {
    lowest.set(node, Math.min(lowest.get(node) as number, to))
  }
  const leave = (node: Node): void => {
    path.pop()
    const low = lowest.get(node) as number
    const before = path.at(-1)
    if (before) lower(before.node, low)
    if (low !== order.get(node)) return
    const component = open.splice(open.lastIndexOf(node))
    for (const done of component) lowest.set(done, Number.POSITIVE_INFINITY)
    components.push(component)
  }
  for (const start of from) {
    if (!order.has(start)) enter(start)
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.rest.next()
      if (next.done) leave(top.node)
      else if (!order.has(next.value)) enter(next.value)
      else if (lowest.get(next.value) !== Number.POSITIVE_INFINITY) lower(top.node, order.get(next.value) as number)
    }
  }
  return components
}

/** The nodes that lead to themselves, directly or through others, by component. */
export function findCycles<Node>(from: Iterable<Node>, nextOf: (node: Node) => Iterable<Node>): Node[][] {
  const leadsToItself = (node: Node) => [...nextOf(node)].includes(node)
  return findComponents(from, nextOf).filter((component) => component.length > 1 || leadsToItself(component[0] as Node))
}

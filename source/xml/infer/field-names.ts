// Names of fields that are made of the names of elements and attributes: short, and different for tables in which case does not count.

/**
 * A name for each of some fields, of the steps of their paths: the last step; where names would be equal, with as many steps before it as it takes; and
 * where that is not enough, with a number. `reserved` are names that none gets.
 */
export function nameFields(paths: readonly (readonly string[])[], reserved: readonly string[] = []): string[] {
  const counts = paths.map(() => 1)
  const nameOf = (i: number) => joinLast(paths[i] as readonly string[], counts[i] as number)
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    const used = new Map<string, number>(reserved.map((name) => [keyOf(name), 1]))
    for (const i of paths.keys()) used.set(keyOf(nameOf(i)), (used.get(keyOf(nameOf(i))) ?? 0) + 1)
    const clashing = [...paths.keys()].filter((i) => (used.get(keyOf(nameOf(i))) as number) > 1)
    for (const i of clashing) {
      if ((counts[i] as number) === paths[i]?.length) continue
      counts[i] = (counts[i] as number) + 1
      isChanged = true
    }
  }
  const used = new Set(reserved.map(keyOf))
  return paths.map((_, i) => {
    const name = nameOf(i)
    let unique = name
    for (let number = 2; used.has(keyOf(unique)); number++) unique = `${name}_${number}`
    used.add(keyOf(unique))
    return unique
  })
}

function joinLast(steps: readonly string[], count: number): string {
  const name = steps
    .slice(-count)
    .map((step) => step.slice(step.lastIndexOf(':') + 1))
    .join('_')
  return name === '' || name === '__proto__' ? 'field' : name
}

function keyOf(name: string): string {
  return name.toLowerCase()
}

// Maps with several values for a key.

export function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}

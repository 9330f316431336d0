// docs/moving.md has pairs of programs: one with another library, and one with xylem that prints the same.

import { expect, test } from 'vitest'
import { readPage } from '../support/markdown.ts'

const PEERS = ['fast-xml-parser', 'xml2js', 'xmlbuilder2', '@xmldom/xmldom']

test('each program with another library is followed by one with xylem that prints the same', () => {
  const programs = [...readPage('docs/moving.md').matchAll(/```(?:js|ts)\n(.*?)```\n\n```text\n(.*?)```/gs)]
  expect(programs.length % 2).toBe(0)
  const used = new Set<string>()
  for (let i = 0; i < programs.length; i += 2) {
    const [[, before = '', expected] = [], [, after, printed] = []] = [programs[i], programs[i + 1]]
    const peers = PEERS.filter((peer) => before.includes(`'${peer}'`))
    expect(peers, before).toHaveLength(1)
    for (const peer of peers) used.add(peer)
    expect(before).not.toContain("'xylem")
    expect(after).toContain("'xylem/xml")
    expect(printed).not.toBe('')
    expect(printed).toBe(expected)
  }
  expect([...used]).toEqual(PEERS)
})

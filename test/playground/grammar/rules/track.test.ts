import { describe, expect, test } from 'vitest'
import { Grammar } from 'xylem/grammar'
import { countTracks, describeTrack, type Track, trackOf } from '../../../../playground/grammar/rules/track.ts'

function track(body: string): Track {
  const text = `program ::= ${body} ; a ::= "a" ; b ::= "b" ;`
  const [rule] = Grammar.from(text, { dialect: 'xylem' }).rules
  if (!rule) throw new Error('there is no rule')
  return trackOf(rule, text)
}

describe('the way through a rule', () => {
  test('is a sequence of texts and rules, as they are written', () => {
    expect(track('"x\\n" ~"Y" a')).toEqual({
      rail: 'sequence',
      tracks: [
        { rail: 'text', label: '"x\\n"' },
        { rail: 'text', label: '~"Y"' },
        { rail: 'rule', label: 'a' },
      ],
    })
  })

  test('has no part for brackets and for what is put together', () => {
    expect(track('...( a )')).toEqual({ rail: 'rule', label: 'a' })
  })

  test('says what stands between the rounds of a separated list, and follows what has a name', () => {
    expect(describeTrack(track('x:a{* ","}'))).toBe('optionally between: "," of a')
    expect(describeTrack(track('x?:a y:b'))).toBe('optionally a, then b')
    expect(describeTrack(track('a ( left:< "+" right:b )*'))).toBe(
      'a, then zero or more of (left: what was made so far, then "+", then b)',
    )
  })

  test('divides at a choice', () => {
    expect(track('a | ( b "c" )')).toEqual({
      rail: 'choice',
      tracks: [
        { rail: 'rule', label: 'a' },
        {
          rail: 'sequence',
          tracks: [
            { rail: 'rule', label: 'b' },
            { rail: 'text', label: '"c"' },
          ],
        },
      ],
    })
  })

  test.each<[string, Track]>([
    ['a?', { rail: 'optional', track: { rail: 'rule', label: 'a' } }],
    ['a+', { rail: 'loop', track: { rail: 'rule', label: 'a' }, note: undefined }],
    ['a*', { rail: 'optional', track: { rail: 'loop', track: { rail: 'rule', label: 'a' }, note: undefined } }],
    ['a{2}', { rail: 'loop', track: { rail: 'rule', label: 'a' }, note: '2 times' }],
    ['a{2,}', { rail: 'loop', track: { rail: 'rule', label: 'a' }, note: '2 times or more' }],
    ['a{2,5}', { rail: 'loop', track: { rail: 'rule', label: 'a' }, note: '2 to 5 times' }],
    ['[a-z]{2}', { rail: 'loop', track: { rail: 'text', label: '[a-z]' }, note: '2 times' }],
    ['[*+]+', { rail: 'loop', track: { rail: 'text', label: '[*+]' }, note: undefined }],
    ['"a"->"z"', { rail: 'text', label: '"a"->"z"' }],
    ['!"x"+', { rail: 'loop', track: { rail: 'text', label: 'any but "x"' }, note: undefined }],
    ['!""', { rail: 'text', label: 'any character' }],
    ['%a', { rail: 'omitted', track: { rail: 'rule', label: 'a' } }],
  ])('of %s', (body, expected) => {
    expect(track(body)).toEqual(expected)
  })

  test('has notes where nothing is consumed', () => {
    expect(describeTrack(track('&"x" ^ &!a @"not here"'))).toBe(
      'only before "x", then no way back (^), then only without a, then error: not here',
    )
  })

  test('has short labels', () => {
    expect(track(`"${'long '.repeat(50)}"`)).toEqual({
      rail: 'text',
      label: `"${'long '.repeat(50)}`.slice(0, 39).concat('…'),
    })
  })

  test('can be said in words', () => {
    expect(describeTrack(track('a ( %"," a )* ( b | "c" )?'))).toBe(
      'a, then zero or more of (",", then a), then optionally (b or "c")',
    )
  })

  test('is counted, so that what is too large is not drawn', () => {
    expect(countTracks(track('a ( "," a )* b?'))).toBe(9)
  })
})

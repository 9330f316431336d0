// Pages of MediaWiki dumps that are as nearly all are, from XML to lines of JSON in one pass.
//
// It knows the elements of a page and what may be in them, and nothing else: a page with anything besides is left to those who know all of
// XML. So what it takes is well-formed: its tags match, its references are to what is predefined, no `<` or `>` is in a text, no attribute
// is there twice, and all its bytes are UTF-8 of characters that XML 1.0 allows.
//
// The words of names and the keys of JSON (WORD_…, KEYS) stand before this file: scripts/generate-kernels.mjs makes them.

import { areReferencesGood, beginEscaping, escapeJson, isFaulty } from './json'
import { findMalformed, findNoXmlCharacter, measure, passXmlText } from './text'

/** For each field 16 bytes: where its text begins and ends, and 1 if it is there. */
const FIELDS: usize = 4096
/** A copy of those of a revision, while another one is read. */
const OTHER_REVISION: usize = 4096 + 1024
/** Numbers of the namespaces that are wanted, as i32. */
export const NAMESPACES: usize = 8192
export const MOST_NAMESPACES = 4096
/** For each of them a byte: 1 when a page of it was read. */
export const SEEN: usize = 8192 + 4 * 4096
/** What a scan has shown. */
export const RESULTS: usize = 8192 + 5 * 4096
/** Where the input stands. */
export const INPUT: usize = 65536
/** Bytes after the input, and after the output, that may be read and written. */
export const SLACK = 64

/** Why a scan has ended; as in page-scanner.ts. */
const MORE = 0
const UNUSUAL = 1
const OVER = 2
const FULL = 3

const ID = 0
const NS = 1
const TITLE = 2
const REDIRECT = 3
const REVISION_ID = 4
const PARENT_ID = 5
const TIMESTAMP = 6
const USERNAME = 7
const CONTRIBUTOR_ID = 8
const IP = 9
const COMMENT = 10
const ORIGIN = 11
const MODEL = 12
const FORMAT = 13
const BYTES = 14
const SHA1 = 15
const LOCATION = 16
const TEXT_ID = 17
const TEXT = 18
const FIELD_COUNT = 19
const MINOR_KEY = 19
/** Bytes of the fields of a revision. */
const REVISION_SIZE: usize = (FIELD_COUNT - REVISION_ID) << 4

/** Two revisions whose order cannot be found without knowing all of XML. */
const CANNOT_COMPARE = 2

/** Bytes of a line besides twice those of its page, at most. */
export const LINE_OVERHEAD: usize = 640

let end: usize = 0
let isMinor = false
let hasRevision = false
let hasContributor = false
let to: usize = 0

let pages = 0
let redirects = 0
let revisions = 0
let missingTexts = 0
let suppressed = 0
let firstPage: f64 = 0
let lastPage: f64 = 0

// @ts-ignore: decorator
@inline function fieldOf(field: i32): usize {
  return FIELDS + (<usize>field << 4)
}

// @ts-ignore: decorator
@inline function has(field: i32): bool {
  return load<u32>(fieldOf(field), 8) != 0
}

// @ts-ignore: decorator
@inline function isEmpty(field: i32): bool {
  return load<u32>(fieldOf(field)) == load<u32>(fieldOf(field), 4)
}

/** Notes a field. False when it is there already. */
function set(field: i32, from: usize, last: usize): bool {
  if (has(field)) return false
  store<u32>(fieldOf(field), from)
  store<u32>(fieldOf(field), last, 4)
  store<u32>(fieldOf(field), 1, 8)
  return true
}

/** Whether a word of `length` bytes stands at an address. */
// @ts-ignore: decorator
@inline function stands(at: usize, word: u64, length: u32): bool {
  return length == 8 ? load<u64>(at) == word : (load<u64>(at) & ((<u64>1 << (length << 3)) - 1)) == word
}

function skipSpace(from: usize): usize {
  let at = from
  for (; at < end; at++) {
    const byte = <u32>load<u8>(at)
    if (byte != 0x20 && byte != 0x0a && byte != 0x09) break
  }
  return at
}

/** Where the next `<` or `>` is; at or after `end` where there is none. */
function findBracket(from: usize): usize {
  for (let at = from; at < end; at += 16) {
    const bytes = v128.load(at)
    // They are 0x3c and 0x3e.
    const mask = i8x16.bitmask(i8x16.eq(v128.and(bytes, i8x16.splat(-3)), i8x16.splat(0x3c)))
    if (mask != 0) return at + ctz(mask)
  }
  return end
}

/** Where reading stopped because the rest is unusual; its result is then 0. */
let stop: usize = 0

function fail(at: usize): usize {
  stop = at
  return 0
}

/**
 * Reads the content and the end tag of an element after whose name `at` stands, which is `word` if it has up to 8 letters, and else ends
 * with it. Gives the address after it.
 */
function readLeaf(field: i32, at: usize, word: u64, length: u32): usize {
  const first = <u32>load<u8>(at)
  if (first != 0x3e) {
    if (first == 0x20) at++
    if (<u32>load<u16>(at) != EMPTY_END) return fail(at)
    return set(field, at, at) ? at + 2 : fail(at)
  }
  const from = at + 1
  const last = findBracket(from)
  if (last >= end) return fail(last)
  const name = last + 2
  if (<u32>load<u16>(last) != CLOSING || !stands(name, word, length)) return fail(last)
  if (<u32>load<u8>(name + length) != 0x3e) return fail(last)
  return set(field, from, last) ? name + length + 1 : fail(from)
}

/** Where the value of an attribute ends that begins at `from`; 0 where it has a `<` or does not end. */
function findValueEnd(from: usize): usize {
  for (let at = from; at < end; at++) {
    const byte = <u32>load<u8>(at)
    if (byte == 0x22) return at
    if (byte == 0x3c) return fail(at)
  }
  return fail(end)
}

/** Whether a value has a reference. */
function hasReference(from: usize, last: usize): bool {
  for (let at = from; at < last; at++) if (<u32>load<u8>(at) == 0x26) return true
  return false
}

/** Reads `<redirect title="…" />`, after whose name `at` stands. */
function readRedirect(at: usize): usize {
  if (!stands(at, WORD_TITLE_IS, 8)) return fail(at)
  const last = findValueEnd(at + 8)
  if (last == 0) return 0
  if (!set(REDIRECT, at + 8, last)) return fail(at)
  at = last + 1
  if (<u32>load<u8>(at) == 0x20) at++
  return <u32>load<u16>(at) == EMPTY_END ? at + 2 : fail(at)
}

/** Reads `<text>`, after whose name `at` stands. */
function readText(at: usize): usize {
  let seen = 0
  while (true) {
    const byte = <u32>load<u8>(at)
    if (byte == 0x3e || <u32>load<u16>(at) == EMPTY_END) break
    if (byte != 0x20) return fail(at)
    if (<u32>load<u16>(at, 1) == EMPTY_END) break
    const name = at + 1
    let from: usize = 0
    let field = -1
    let bit = 0
    if (stands(name, WORD_BYTES_IS, 7)) {
      from = name + 7
      field = BYTES
    } else if (stands(name, WORD_XML_SPAC, 8) && stands(name + 8, WORD_E_IS, 3)) {
      from = name + 11
      bit = 1
    } else if (stands(name, WORD_SHA1_IS, 6)) {
      from = name + 6
      bit = 2
    } else if (stands(name, WORD_ID_IS, 4)) {
      from = name + 4
      field = TEXT_ID
    } else if (stands(name, WORD_LOCATION, 8) && <u32>load<u16>(name, 8) == IS_QUOTE) {
      from = name + 10
      field = LOCATION
    } else return fail(at)
    const last = findValueEnd(from)
    if (last == 0) return 0
    if (field >= 0 ? !set(field, from, last) : (seen & bit) != 0 || hasReference(from, last)) return fail(at)
    seen |= bit
    at = last + 1
  }
  return readLeaf(TEXT, at, WORD_TEXT, 4)
}

function readContributor(at: usize): usize {
  if (hasContributor) return fail(at)
  hasContributor = true
  while (true) {
    at = skipSpace(at)
    if (<u32>load<u8>(at) != 0x3c) return fail(at)
    const name = at + 1
    if (stands(name, WORD_USERNAME, 8)) at = readLeaf(USERNAME, name + 8, WORD_USERNAME, 8)
    else if (stands(name, WORD_ID, 2)) at = readLeaf(CONTRIBUTOR_ID, name + 2, WORD_ID, 2)
    else if (stands(name, WORD_IP, 2)) at = readLeaf(IP, name + 2, WORD_IP, 2)
    else if (stands(name, WORD_END_CONTRIB, 8) && stands(name + 8, WORD_UTOR, 5)) {
      // Of both only one would be written, and looked at.
      return has(USERNAME) && has(IP) ? fail(at) : name + 13
    }
    else return fail(at)
    if (at == 0) return 0
  }
}

/** Where a field of the other revision stands. */
// @ts-ignore: decorator
@inline function otherFieldOf(field: i32): usize {
  return OTHER_REVISION + (<usize>(field - REVISION_ID) << 4)
}

/** Whether a timestamp has only characters that are compared as their bytes are. */
function isPlain(at: usize, last: usize): bool {
  for (; at < last; at++) {
    const byte = <u32>load<u8>(at)
    if (byte < 0x20 || byte > 0x7e || byte == 0x26) return false
  }
  return true
}

/** Whether the revision that was read last is older (-1) than the other one, as old (0) or newer (1), by timestamp, then by id. */
function compareToOther(): i32 {
  let one = <usize>load<u32>(fieldOf(TIMESTAMP))
  let other = <usize>load<u32>(otherFieldOf(TIMESTAMP))
  const oneEnd = <usize>load<u32>(fieldOf(TIMESTAMP), 4)
  const otherEnd = <usize>load<u32>(otherFieldOf(TIMESTAMP), 4)
  if (!isPlain(one, oneEnd) || !isPlain(other, otherEnd)) return CANNOT_COMPARE
  for (; one < oneEnd && other < otherEnd; one++, other++) {
    const difference = <i32>load<u8>(one) - <i32>load<u8>(other)
    if (difference != 0) return difference < 0 ? -1 : 1
  }
  if (one < oneEnd || other < otherEnd) return one < oneEnd ? 1 : -1
  const id = numberAt(fieldOf(REVISION_ID))
  const otherId = numberAt(otherFieldOf(REVISION_ID))
  if (isNaN(id) || isNaN(otherId)) return CANNOT_COMPARE
  return id < otherId ? -1 : id > otherId ? 1 : 0
}

/** Reads a revision. Of several the newest one is kept, as PageBuilder does (mediawiki/page.ts). */
function readRevision(at: usize): usize {
  if (!hasRevision) return readOneRevision(at)
  // What is not kept is never written, and so not looked at then.
  if (!isWellFormed(REVISION_ID)) return fail(at)
  const wasMinor = isMinor
  const hadContributor = hasContributor
  memory.copy(OTHER_REVISION, fieldOf(REVISION_ID), REVISION_SIZE)
  const next = readOneRevision(at)
  if (next == 0) return 0
  const order = compareToOther()
  if (order == CANNOT_COMPARE) return fail(at)
  if (order < 0) {
    if (!isWellFormed(REVISION_ID)) return fail(at)
    memory.copy(fieldOf(REVISION_ID), OTHER_REVISION, REVISION_SIZE)
    isMinor = wasMinor
    hasContributor = hadContributor
  }
  return next
}

function readOneRevision(at: usize): usize {
  memory.fill(fieldOf(REVISION_ID), 0, REVISION_SIZE)
  isMinor = false
  hasContributor = false
  hasRevision = true
  while (true) {
    at = skipSpace(at)
    if (<u32>load<u8>(at) != 0x3c) return fail(at)
    const name = at + 1
    if (stands(name, WORD_ID, 2)) at = readLeaf(REVISION_ID, name + 2, WORD_ID, 2)
    else if (stands(name, WORD_PARENTID, 8)) at = readLeaf(PARENT_ID, name + 8, WORD_PARENTID, 8)
    else if (stands(name, WORD_TIMESTAM, 8)) {
      if (<u32>load<u8>(name, 8) != 0x70) return fail(at)
      // Its end tag is compared in two parts: the name has nine letters.
      if (<u32>load<u8>(name, 9) != 0x3e) return fail(at)
      const text = name + 10
      const close = findBracket(text)
      if (close >= end) return fail(close)
      if (<u32>load<u16>(close) != CLOSING || !stands(close + 2, WORD_TIMESTAM, 8)) return fail(close)
      if (<u64>load<u16>(close, 10) != WORD_P || !set(TIMESTAMP, text, close)) return fail(close)
      at = close + 12
    } else if (stands(name, WORD_CONTRIBU, 8)) {
      if (!stands(name + 8, WORD_TOR, 4)) return fail(at)
      at = readContributor(name + 12)
    } else if (stands(name, WORD_MINOR, 5)) {
      at = name + 5
      if (<u32>load<u8>(at) == 0x20) at++
      if (<u32>load<u16>(at) != EMPTY_END) return fail(at)
      at += 2
      isMinor = true
    } else if (stands(name, WORD_COMMENT, 7)) at = readLeaf(COMMENT, name + 7, WORD_COMMENT, 7)
    else if (stands(name, WORD_ORIGIN, 6)) at = readLeaf(ORIGIN, name + 6, WORD_ORIGIN, 6)
    else if (stands(name, WORD_MODEL, 5)) at = readLeaf(MODEL, name + 5, WORD_MODEL, 5)
    else if (stands(name, WORD_FORMAT, 6)) at = readLeaf(FORMAT, name + 6, WORD_FORMAT, 6)
    else if (stands(name, WORD_TEXT, 4)) at = readText(name + 4)
    else if (stands(name, WORD_SHA1, 4)) at = readLeaf(SHA1, name + 4, WORD_SHA1, 4)
    else if (stands(name, WORD_END_REVISIO, 8) && stands(name + 8, WORD_N, 2)) return name + 10
    else return fail(at)
    if (at == 0) return 0
  }
}

/** Whether the fields from one on, which are not written, have no other references than they may have. */
function isWellFormed(first: i32): bool {
  for (let field = first; field < FIELD_COUNT; field++) {
    if (!areReferencesGood(load<u32>(fieldOf(field)), load<u32>(fieldOf(field), 4))) return false
  }
  return true
}

/** Reads a page after its start tag, and gives the address after it; 0 where it cannot be read. */
function readPage(at: usize): usize {
  memory.fill(FIELDS, 0, FIELD_COUNT << 4)
  isMinor = false
  hasRevision = false
  while (true) {
    at = skipSpace(at)
    if (<u32>load<u8>(at) != 0x3c) return fail(at)
    const name = at + 1
    if (stands(name, WORD_TITLE, 5)) at = readLeaf(TITLE, name + 5, WORD_TITLE, 5)
    else if (stands(name, WORD_NS, 2)) at = readLeaf(NS, name + 2, WORD_NS, 2)
    else if (stands(name, WORD_ID, 2)) at = readLeaf(ID, name + 2, WORD_ID, 2)
    else if (stands(name, WORD_REDIRECT, 8)) at = readRedirect(name + 8)
    else if (stands(name, WORD_REVISION, 8)) at = <u32>load<u8>(name, 8) == 0x3e ? readRevision(name + 9) : fail(at)
    else if (stands(name, WORD_END_PAGE, 6)) return name + 6
    else return fail(at)
    if (at == 0) return 0
  }
}

/** The number that a field is; NaN where it is not written as JSON has it, in up to 15 digits. */
function numberOf(field: i32): f64 {
  return numberAt(fieldOf(field))
}

/** The same of the 16 bytes of a field. */
function numberAt(place: usize): f64 {
  let at = <usize>load<u32>(place)
  const last = <usize>load<u32>(place, 4)
  const isNegative = <u32>load<u8>(at) == 0x2d && at < last
  if (isNegative) at++
  const length = last - at
  if (length < 1 || length > 15) return NaN
  if (<u32>load<u8>(at) == 0x30 && (length > 1 || isNegative)) return NaN
  let value: f64 = 0
  for (; at < last; at++) {
    const digit = <u32>load<u8>(at) - 0x30
    if (digit > 9) return NaN
    value = value * 10 + <f64>digit
  }
  return isNegative ? -value : value
}

/** Whether a field is a number, or is not there or empty where it need not be. */
// @ts-ignore: decorator
@inline function isNumber(field: i32, isNeeded: bool): bool {
  return isEmpty(field) ? !isNeeded : !isNaN(numberOf(field))
}

/** Whether what must be there is there, and all numbers are such. */
function isUsual(): bool {
  if (!has(TITLE) || !isNumber(ID, true) || !isNumber(NS, false)) return false
  if (!hasRevision) return true
  return (
    isNumber(REVISION_ID, true) &&
    isNumber(PARENT_ID, false) &&
    isNumber(CONTRIBUTOR_ID, false) &&
    isNumber(ORIGIN, false) &&
    isNumber(BYTES, false) &&
    isNumber(TEXT_ID, false)
  )
}

function isWanted(redirectsAre: i32, namespaces: i32): bool {
  if (namespaces >= 0 && !isOfNamespace(namespaces)) return false
  return redirectsAre == 0 || (redirectsAre == 2) == has(REDIRECT)
}

/** Whether the page is of one of the namespaces, which is then noted. */
function isOfNamespace(namespaces: i32): bool {
  if (isEmpty(NS)) return false
  const ns = numberOf(NS)
  for (let i = 0; i < namespaces; i++) {
    if (<f64>load<i32>(NAMESPACES + (<usize>i << 2)) != ns) continue
    store<u8>(SEEN + i, 1)
    return true
  }
  return false
}

function putKey(field: i32): void {
  const key = KEYS + (<usize>field << 5)
  v128.store(to, v128.load(key))
  v128.store(to, v128.load(key, 16), 16)
  to += <usize>load<u8>(KEY_LENGTHS + field)
}

function put(byte: u32): void {
  store<u8>(to++, <u8>byte)
}

function putText(field: i32): void {
  if (!has(field)) return
  putKey(field)
  to = escapeJson(load<u32>(fieldOf(field)), load<u32>(fieldOf(field), 4), to, field == REDIRECT || field == LOCATION)
  put(0x22)
}

function putNumber(field: i32): void {
  if (isEmpty(field)) return
  putKey(field)
  const from = <usize>load<u32>(fieldOf(field))
  const length = <usize>load<u32>(fieldOf(field), 4) - from
  v128.store(to, v128.load(from))
  to += length
}

function writeRevision(): void {
  putNumber(REVISION_ID)
  putNumber(PARENT_ID)
  putText(TIMESTAMP)
  if (has(IP)) {
    putText(IP)
    put(0x7d)
  } else if (has(USERNAME)) {
    putText(USERNAME)
    putNumber(CONTRIBUTOR_ID)
    put(0x7d)
  }
  if (isMinor) putKey(MINOR_KEY)
  putText(COMMENT)
  putNumber(ORIGIN)
  putText(MODEL)
  putText(FORMAT)
  putNumber(BYTES)
  if (!isEmpty(SHA1)) putText(SHA1)
  putText(LOCATION)
  putNumber(TEXT_ID)
  const bytes = isEmpty(BYTES) ? 0 : numberOf(BYTES)
  // A text that is empty is absent where the dump gives a size, or says that there is one without giving it.
  const hasText = has(TEXT) && (!isEmpty(TEXT) || (bytes == 0 && !(has(BYTES) && isEmpty(BYTES))))
  if (hasText) putText(TEXT)
  put(0x7d)
  revisions++
  if (bytes > 0 && !hasText) missingTexts++
  if (bytes < 0) suppressed++
}

/** Writes the line of a page. False where a text has a reference that is not predefined. */
function writePage(): bool {
  const before = to
  beginEscaping()
  putNumber(ID)
  putNumber(NS)
  putText(TITLE)
  putText(REDIRECT)
  const revisionsBefore = revisions
  const missingBefore = missingTexts
  const suppressedBefore = suppressed
  if (hasRevision) writeRevision()
  store<u16>(to, 0x0a7d)
  to += 2
  if (isFaulty) {
    to = before
    revisions = revisionsBefore
    missingTexts = missingBefore
    suppressed = suppressedBefore
    return false
  }
  lastPage = numberOf(ID)
  if (pages == 0) firstPage = lastPage
  pages++
  if (has(REDIRECT)) redirects++
  return true
}

/** Where text stops being well-formed UTF-8 of characters of XML 1.0, or `length` bytes after `from`. */
export function validate(from: usize, length: u32): usize {
  const last = from + <usize>length
  const certain = passXmlText(from, last)
  return findNoXmlCharacter(certain, findMalformed(certain, last))
}

/**
 * Reads pages between two addresses, and writes their lines to `output`, which has `room` bytes. A page that begins at `limit` or after it
 * is not read. `isFaultBehind`: what follows is malformed text, rather than not there yet. `redirectsAre`: 0 for all pages, 1 for those that
 * redirect nowhere, 2 for those that do; `namespaces`: how many there are in NAMESPACES, -1 for all. Gives why it has ended; the rest is in
 * RESULTS.
 */
export function scan(
  from: usize,
  last: usize,
  isFaultBehind: bool,
  limit: usize,
  output: usize,
  room: usize,
  redirectsAre: i32,
  namespaces: i32,
): i32 {
  end = last
  to = output
  pages = redirects = revisions = missingTexts = suppressed = 0
  firstPage = lastPage = 0
  let at = from
  let reason = MORE
  while (true) {
    const start = skipSpace(at)
    const isPage = start + 6 <= end && stands(start, WORD_PAGE, 6)
    if (isPage && start >= limit) {
      at = start
      reason = OVER
      break
    }
    const next = isPage ? readPage(start + 6) : fail(start)
    if (next == 0 || next > end) {
      // What does not stand there may only not have arrived: nothing that is looked for is longer than this.
      const isCut = next != 0 || stop + 32 > end
      reason = isCut && !isFaultBehind ? MORE : UNUSUAL
      break
    }
    if (to - output + 2 * (next - start) + LINE_OVERHEAD > room) {
      reason = FULL
      break
    }
    if (!isUsual() || !(isWanted(redirectsAre, namespaces) ? writePage() : isWellFormed(ID))) {
      reason = UNUSUAL
      break
    }
    at = next
  }
  store<u32>(RESULTS, <u32>(at - from))
  store<u32>(RESULTS, <u32>(to - output), 4)
  store<i32>(RESULTS, pages, 8)
  store<i32>(RESULTS, redirects, 12)
  store<i32>(RESULTS, revisions, 16)
  store<i32>(RESULTS, missingTexts, 20)
  store<i32>(RESULTS, suppressed, 24)
  store<f64>(RESULTS, firstPage, 32)
  store<f64>(RESULTS, lastPage, 40)
  measure(from, at, false)
  store<u32>(RESULTS, load<u32>(REGISTERS + (LINE_FEEDS << 2)), 48)
  store<u32>(RESULTS, load<u32>(REGISTERS + (UNITS_IN_LINE << 2)), 52)
  return reason
}

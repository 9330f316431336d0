// What compiled programs are made of besides their own code (scripts/kernels/compile-program.ts): it stands after kernel.ts when a kernel
// for one program is compiled. Everything here does what the instruction of the same name does, or changes nothing and says so.

/** Whether the code that begins at an instruction is compiled. */
// @ts-ignore: decorator
@inline function isEntry(pc: usize): bool {
  return (load<u8>(ENTRIES + (pc >>> 3)) & (1 << (pc & 7))) != 0
}

/** Lets compiled code continue, if there is some at the place of the machine. */
function enterCompiled(): void {
  const pc = register(PC)
  if (!isEntry(pc) || register(RESUMED) != 0 || register(OLDEST) != 0) return
  const block = findBlock(pc, register(STACK) + register(STACK_TOP))
  if (block != 0) advance(block)
}

// @ts-ignore: decorator
@inline function isTapeFull(t: usize): bool {
  return t == register(TAPE) + register(TAPE_SIZE)
}

/** Whether a part that ends now is to stop the machine. */
// @ts-ignore: decorator
@inline function isTapeMarked(t: usize): bool {
  return t + RECORD_SIZE >= register(TAPE) + register(TAPE_MARK)
}

/** Whether a part was closed since the frame was pushed: the one that it is of is then not the innermost. */
// @ts-ignore: decorator
@inline function holdsPart(frame: usize): bool {
  return <i32>(<u32>register(CLOSED) - load<u32>(frame, 8)) > 0
}

/**
 * Closes a part whose record was written: the end of the tape. Where the host says so, and nothing is before it, a part that needs no look
 * is dropped again: what is seldom written to is in the processor's first cache.
 */
function closePart(t: usize, frame: usize): usize {
  const tape = register(TAPE)
  if (register(SKIMS) != 0 && load<u32>(frame, 8) == <u32>register(TAPE_START)) {
    const part = t - RECORD_SIZE
    const role = <i32>load<u8>(ROLES + <usize>load<u32>(part))
    const depth = register(SKIM_DEPTH)
    const floor = register(SKIM_FLOOR)
    let isPassed = false
    if (role == ROLE_CLOSE) {
      isPassed = depth > floor
      if (isPassed) setRegister(SKIM_DEPTH, depth - 1)
    } else if (role == ROLE_OPEN && part == tape + RECORD_SIZE) {
      // Nothing but its name.
      isPassed = (load<u32>(register(NAMES) + <usize>load<u32>(tape, 12) * NAME_SIZE, 8) & 1) != 0
      if (isPassed) setRegister(SKIM_DEPTH, depth + 1)
    } else {
      isPassed = skim(tape, t, <i32>depth, <i32>floor) == t
      if (!isPassed) setRegister(SKIM_DEPTH, depth)
    }
    if (isPassed) {
      setRegister(SKIM_FOUND, 1)
      setRegister(SKIM_END, load<u32>(part, 8))
      return tape
    }
  }
  setRegister(CLOSED, t - tape + register(TAPE_START))
  return t
}

/** The end of a run that mostly has one item, or none. */
// @ts-ignore: decorator
@inline function passFew(set: usize, p: usize, end: usize): usize {
  if (load<u8>(<usize>load<u8>(p) + set, CLASS_BYTES) == 0) return p
  if (load<u8>(<usize>load<u8>(p, 1) + set, CLASS_BYTES) == 0) return p + 1
  return passMany(set, p, end)
}

function passMany(set: usize, p: usize, end: usize): usize {
  return findSpanEnd(set, p, end)
}

/** The end of a name, or 0. */
function passName(first: usize, rest: usize, p: usize, end: usize): usize {
  return isMember(first, p) ? findSpanEnd(rest, p + sequenceLength(<u32>load<u8>(p)), end) : 0
}

/** Where the last item that a search skipped ended. */
let passed: usize = 0

/** After the name that is on top, which is popped, or 0. */
function matchSymbol(set: usize, p: usize, end: usize): usize {
  const depth = register(SYMBOL_DEPTH)
  if (depth == 0 || !hasLogRoom()) return 0
  const entry = register(SYMBOLS) + (depth - 1) * SYMBOL_SIZE
  const name = register(NAMES) + <usize>load<u32>(entry) * NAME_SIZE
  const length = <usize>load<u32>(name, 4)
  const last = p + length
  if (last >= end || !isNameAt(p, name, length)) return 0
  if (isMember(set, last)) return 0
  popEntry(entry, depth)
  return last
}

// The exit codes of every command.

export const ExitCode = {
  GOOD: 0,
  /** `check` found faults. */
  FAULTS: 1,
  /** Nothing was found, or something that was asked for was not. */
  NOTHING_FOUND: 1,
  /** The command line is wrong. */
  USAGE: 2,
  /** The input is malformed, truncated or corrupt, or larger than a limit. */
  BAD_INPUT: 3,
  /** The input is not what it was when the work was planned. */
  INPUT_CHANGED: 4,
  /** The source could not be read, or the output not be written. */
  SOURCE_FAILED: 5,
  /** A fault in xylem itself. */
  INTERNAL: 70,
} as const

// What the programs signal to the host while they run. Separate from the assembly of the programs, which is not needed to run them.

/** A reference in content to a general entity that is not predefined. */
export const REFERENCE = 1

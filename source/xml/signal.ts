// What the programs signal to the host while they run. Separate from the assembly of the programs, which is not needed to run them.

/** Codes of signals: a reference to a general entity that is not predefined, in content and in an attribute's value. */
export const Signal = { REFERENCE: 1, VALUE_REFERENCE: 2 } as const

// What the programs tell the host of while they run. Apart from how they are assembled, which nobody needs who runs them.

/** Codes of signals: a reference to a general entity that is not predefined, in content and in an attribute's value. */
export const Signal = { REFERENCE: 1, VALUE_REFERENCE: 2 } as const

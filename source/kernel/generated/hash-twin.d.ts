export function instantiate(): unknown

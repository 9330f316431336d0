export function encodeBytes(bytes: Uint8Array): string

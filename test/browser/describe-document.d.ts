export function describeDocuments(readXml: unknown, texts: readonly string[]): Promise<string[]>

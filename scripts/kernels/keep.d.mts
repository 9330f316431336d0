export function keep(path: string, text: string, check: boolean): Promise<void>

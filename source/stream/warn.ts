// Warnings about a program's mistakes that no error can report, because nobody is there to catch it.

/** Warns in the way of the runtime: `process.emitWarning` where there is one (Node, Deno, Bun), else the console. */
export function warn(message: string): void {
  const { process } = globalThis as { process?: { emitWarning?(message: string, type: string): void } }
  if (process?.emitWarning) process.emitWarning(message, 'XylemWarning')
  // biome-ignore lint/suspicious/noConsole: the only place a browser has for warnings
  else console.warn(message)
}

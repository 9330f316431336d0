// Modules that only Node, Deno and Bun have. They are asked for at run time, so that nothing here imports them and everything has another
// way without them.

interface Runtime {
  process?: { getBuiltinModule?(name: string): unknown }
}

/** A module such as `node:zlib`, or undefined where it, or asking for it, is not to be had: in browsers, and before Node 20.16. */
export function builtinModule(name: string): unknown {
  const { process } = globalThis as Runtime
  return process?.getBuiltinModule?.(name)
}

// Modules that are loaded when they are first needed: programs that need little load little.

/** A module, by the function that imports it. */
export class LazyModule<Module> {
  readonly #import: () => Promise<Module>
  #module: Module | undefined

  constructor(load: () => Promise<Module>) {
    this.#import = load
  }

  /** The module if it is there. */
  get module(): Module | undefined {
    return this.#module
  }

  /** The module, where it has been loaded before. */
  get required(): Module {
    if (!this.#module) throw new Error('a module is used that was not loaded')
    return this.#module
  }

  /** Loads the module unless it is there. Throws an `Error` with the code `module-unavailable` if it cannot be had; the next call tries again. */
  async load(): Promise<Module> {
    try {
      this.#module ??= await this.#import()
      return this.#module
    } catch (cause) {
      const error = new Error('a module of xylem could not be loaded', { cause })
      throw Object.assign(error, { code: 'module-unavailable' })
    }
  }

  /** Says what the module is, for programs that cannot wait for it. */
  provide(module: Module): void {
    this.#module ??= module
  }
}

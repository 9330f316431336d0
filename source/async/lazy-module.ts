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

  /** Loads the module unless it is there. */
  async load(): Promise<Module> {
    this.#module ??= await this.#import()
    return this.#module
  }

  /** Says what the module is, for programs that cannot wait for it. */
  provide(module: Module): void {
    this.#module ??= module
  }

  /** Gives what a generator yields that is made with the module. Only the first one waits for it. */
  generate<Item>(
    make: (module: Module) => AsyncGenerator<Item, void, undefined>,
  ): AsyncGenerator<Item, void, undefined> {
    return this.#module ? make(this.#module) : this.#generateLater(make)
  }

  async *#generateLater<Item>(
    make: (module: Module) => AsyncGenerator<Item, void, undefined>,
  ): AsyncGenerator<Item, void, undefined> {
    yield* make(await this.load())
  }
}

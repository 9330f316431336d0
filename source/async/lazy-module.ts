// Modules that are loaded when they are first needed: programs that need little load little.

/** A module, by the function that imports it. */
export class LazyModule<Module> {
  readonly #load: () => Promise<Module>
  #module: Module | undefined

  constructor(load: () => Promise<Module>) {
    this.#load = load
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
    this.#module ??= await this.#load()
    yield* make(this.#module)
  }
}

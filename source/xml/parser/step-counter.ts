// Counts what is read one by one, so that others can do something in between.

/** Parts and references that are read at once, which takes some milliseconds at the most. */
const MOST_STEPS = 4000

export class StepCounter {
  #count = 0

  /** Whether it is time for others. */
  get isOver(): boolean {
    return this.#count > MOST_STEPS
  }

  add(count: number): void {
    this.#count += count
  }

  /** Others had their time. */
  restart(): void {
    this.#count = 0
  }
}

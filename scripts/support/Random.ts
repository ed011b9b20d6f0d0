/** Random numbers that depend only on the seed and are the same on every machine (xorshift128, Marsaglia, 2003). */
export class Random {
  readonly #state: Uint32Array

  constructor(seed: number) {
    // Neighbouring seeds would start with similar numbers, so Knuth's multiplier spreads them.
    this.#state = Uint32Array.of(Math.imul(seed + 1, 2654435761), seed ^ 0x9e3779b9, 362436069, 521288629)
    for (let warm = 0; warm < 24; warm++) this.bits()
  }

  bits(): number {
    const [x = 0, y = 0, z = 0, w = 0] = this.#state
    const mixed = x ^ (x << 11)
    const next = (w ^ (w >>> 19) ^ (mixed ^ (mixed >>> 8))) >>> 0
    this.#state.set([y, z, w, next])
    return next
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    return this.bits() / 2 ** 32
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.fraction()
  }

  /** Returns a whole number; both ends are included. */
  whole(low: number, high: number): number {
    return low + Math.floor((high - low + 1) * this.fraction())
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<A>(choices: ReadonlyArray<A>): A {
    const choice = choices[this.whole(0, choices.length - 1)]
    if (choice === undefined) throw new Error("There is nothing to pick from.")
    return choice
  }

  /** Returns `count` different choices in random order. */
  sample<A>(choices: ReadonlyArray<A>, count: number): ReadonlyArray<A> {
    const left = [...choices]
    return Array.from({ length: Math.min(count, left.length) }, () =>
      left.splice(this.whole(0, left.length - 1), 1)
    ).flat()
  }

  /** Returns a text in which every `#` is a digit and every `@` a capital letter. */
  code(pattern: string): string {
    return pattern.replace(/[#@]/g, (mark) =>
      mark === "#" ? String(this.whole(0, 9)) : String.fromCharCode(this.whole(65, 90))
    )
  }

  /** Returns a normally distributed number with mean 0 and deviation 1 (Box and Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.fraction())) * Math.cos(2 * Math.PI * this.fraction())
  }
}

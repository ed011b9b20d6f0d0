import { Effect, type Exit, Semaphore } from "effect"

interface Entry<Item> {
  readonly item: Item
  /** The result of the write; undefined until the item is written. */
  written?: Exit.Exit<void>
}

/** Items that arrive during a write are written together by the next write, which succeeds or fails for all of them. */
export const together = <Item>(
  write: (items: ReadonlyArray<Item>) => Effect.Effect<void>,
  items_max: number
): ((item: Item) => Effect.Effect<void>) => {
  const turn = Semaphore.makeUnsafe(1)
  const waiting: Array<Entry<Item>> = []
  const writeNext = Effect.gen(function* () {
    const entries = waiting.splice(0, items_max)
    const written = yield* Effect.exit(write(entries.map(({ item }) => item)))
    for (const entry of entries) entry.written = written
  })
  const writtenOf = (entry: Entry<Item>): Effect.Effect<void> =>
    Effect.suspend(() => entry.written ?? Effect.andThen(writeNext, writtenOf(entry)))
  return (item) =>
    Effect.suspend(() => {
      const entry = { item }
      waiting.push(entry)
      return turn.withPermit(writtenOf(entry))
    }).pipe(Effect.uninterruptible)
}

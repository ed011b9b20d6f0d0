import { Effect, Semaphore } from "effect"

/** Runs one effect per key at a time, and at most `effects_max` in total; the others wait. */
export const onePerKey = (effects_max: number) => {
  const all = Semaphore.makeUnsafe(effects_max)
  const lanes = new Map<string, { readonly turn: Semaphore.Semaphore; users: number }>()
  const enter = (key: string) => () => {
    const lane = lanes.get(key) ?? { turn: Semaphore.makeUnsafe(1), users: 0 }
    lane.users++
    lanes.set(key, lane)
    return lane
  }
  return (key: string) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        Effect.sync(enter(key)),
        // Waits for its key first, so that it holds no permit that another key could use.
        ({ turn }) => turn.withPermit(all.withPermit(effect)),
        (lane) => Effect.sync(() => --lane.users === 0 && lanes.delete(key))
      )
}

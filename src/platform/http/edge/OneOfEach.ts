import { Effect, Semaphore } from "effect"

/** Runs one effect of each key at a time, and so many of all keys; the others wait. */
export const oneOfEach = (effects_max: number) => {
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
        // In this order: who waits for a turn keeps nobody else from one.
        ({ turn }) => turn.withPermit(all.withPermit(effect)),
        (lane) => Effect.sync(() => --lane.users === 0 && lanes.delete(key))
      )
}

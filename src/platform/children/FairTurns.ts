import { Data, type Duration, Effect } from "effect"

export interface TurnLimits {
  /** Maximum number of turns held at the same time. */
  readonly size: number
  readonly held_per_owner_max: number
  readonly waiting_max: number
  readonly waiting_per_owner_max: number
  readonly waiting_duration_max: Duration.Input
}

/** Too many callers are waiting for a turn, or this caller has waited for too long. */
class NoTurn extends Data.TaggedError("NoTurn")<{}> {}

interface Caller {
  has_turn: boolean
  proceed: () => void
}

interface Owner {
  held: number
  /** The caller that has waited longest comes first. */
  readonly waiting: Array<Caller>
}

/** Gives turns to owners in rotation, so that no owner waits for all the work of another owner. */
export const fairTurns = (limits: TurnLimits) => {
  /** Owners with a turn or a waiting caller; the one served longest ago comes first. */
  const owners = new Map<number, Owner>()
  let held = 0
  let waiting = 0

  const mayStart = (owner: Owner) => held < limits.size && owner.held < limits.held_per_owner_max

  const start = (id: number, owner: Owner, caller: Caller) => {
    caller.has_turn = true
    held++
    owner.held++
    // The served owner moves to the end of the rotation.
    owners.delete(id)
    owners.set(id, owner)
  }

  const startNext = () => {
    for (const [id, owner] of owners) {
      const caller = mayStart(owner) ? owner.waiting.shift() : undefined
      if (caller === undefined) continue
      waiting--
      start(id, owner, caller)
      return caller.proceed()
    }
  }

  const forget = (id: number, owner: Owner) => {
    if (owner.held === 0 && owner.waiting.length === 0) owners.delete(id)
  }

  const take = (id: number, caller: Caller) =>
    Effect.callback<void, NoTurn>((resume) => {
      const owner = owners.get(id) ?? { held: 0, waiting: [] }
      if (mayStart(owner)) {
        start(id, owner, caller)
        return resume(Effect.void)
      }
      if (waiting >= limits.waiting_max || owner.waiting.length >= limits.waiting_per_owner_max) {
        return resume(new NoTurn())
      }
      caller.proceed = () => resume(Effect.void)
      owners.set(id, owner)
      owner.waiting.push(caller)
      waiting++
      return Effect.sync(() => {
        owner.waiting.splice(owner.waiting.indexOf(caller), 1)
        waiting--
        forget(id, owner)
      })
    }).pipe(Effect.timeoutOrElse({ duration: limits.waiting_duration_max, orElse: () => Effect.fail(new NoTurn()) }))

  const giveBack = (id: number) =>
    Effect.sync(() => {
      const owner = owners.get(id)
      if (owner === undefined) return
      held--
      owner.held--
      forget(id, owner)
      startNext()
    })

  return {
    inTurn:
      (id: number) =>
      <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | NoTurn, R> =>
        Effect.uninterruptibleMask((restore) => {
          const caller: Caller = { has_turn: false, proceed: () => {} }
          return restore(take(id, caller)).pipe(
            // The caller may be interrupted, or time out, at the moment it gets the turn.
            Effect.onError(() => (caller.has_turn ? giveBack(id) : Effect.void)),
            Effect.andThen(Effect.ensuring(restore(work), giveBack(id)))
          )
        })
  }
}

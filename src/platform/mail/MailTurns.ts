import { Effect, PartitionedSemaphore, RcMap, Semaphore } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"

interface Bounds {
  readonly connections_max: number
  readonly connections_per_organization_max: number
  readonly waiting_per_organization_max: number
}

interface Turns {
  readonly admitted: Semaphore.Semaphore
  readonly connected: Semaphore.Semaphore
}

/**
 * Organizations take turns, each with a limit, so that an organization whose messages hang leaves connections for the
 * others. Returns None if too many messages of the organization are waiting.
 */
export const mailTurns = Effect.fnUntraced(function* (bounds: Bounds) {
  const { connections_max, connections_per_organization_max, waiting_per_organization_max } = bounds
  const shared = yield* PartitionedSemaphore.make<OrganizationId | null>({ permits: connections_max })
  const organizations = yield* RcMap.make<OrganizationId | null, Turns, never, never>({
    lookup: () =>
      Effect.all({
        admitted: Semaphore.make(connections_per_organization_max + waiting_per_organization_max),
        connected: Semaphore.make(connections_per_organization_max)
      })
  })
  return Effect.fnUntraced(function* <A, E>(organization_id: OrganizationId | null, delivery: Effect.Effect<A, E>) {
    const { admitted, connected } = yield* RcMap.get(organizations, organization_id)
    return yield* delivery.pipe(
      shared.withPermit(organization_id),
      connected.withPermits(1),
      admitted.withPermitsIfAvailable(1)
    )
  }, Effect.scoped)
})

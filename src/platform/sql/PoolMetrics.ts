import { Context, Effect, Metric } from "effect"

/** Counts transactions, because the driver does not publish how many connections of its pool are in use. */
const transactions = (state: "waiting" | "open") =>
  Metric.gauge("pool_transactions", {
    description: "Transactions that wait for a connection of the pool or use one.",
    attributes: { state }
  })

const waiting = transactions("waiting")
const open = transactions("open")

const connections = Metric.gauge("pool_connections_max", { description: "Connections that the pool may open." })

/** Statements outside of transactions use the same pool, so they can also make transactions wait. */
const wait = Metric.histogram("pool_wait_seconds", {
  description: "Time until a transaction got a connection and began.",
  boundaries: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  attributes: { unit: "s" }
})

const everywhere = Context.empty()

/** Creates the metric series of a pool, so that an idle pool is visible, too. */
export const recordPool = (connections_max: number) =>
  Effect.sync(() => {
    connections.updateUnsafe(connections_max, everywhere)
    for (const gauge of [waiting, open]) gauge.modifyUnsafe(0, everywhere)
  })

/** Counts a transaction as waiting until `begin` gets a connection, then as open. Synchronous, to be fast. */
export const recordTransaction = <A, E, R, Begun>(
  useCase: Effect.Effect<A, E, R>,
  begin: (useCase: Effect.Effect<A, E, R>) => Effect.Effect<A, Begun, R>
): Effect.Effect<A, Begun, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      waiting.modifyUnsafe(1, everywhere)
      return { asked: performance.now(), state: waiting }
    }),
    (transaction) =>
      begin(
        Effect.suspend(() => {
          wait.updateUnsafe((performance.now() - transaction.asked) / 1000, everywhere)
          waiting.modifyUnsafe(-1, everywhere)
          open.modifyUnsafe(1, everywhere)
          transaction.state = open
          return useCase
        })
      ),
    ({ state }) => Effect.sync(() => state.modifyUnsafe(-1, everywhere))
  )

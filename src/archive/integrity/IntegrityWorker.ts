import { Clock, Effect, Layer } from "effect"
import { Jobs, worker } from "../../platform/jobs/Jobs.ts"
import { measureEvery } from "../../platform/observability/Measuring.ts"
import { timed } from "../../platform/jobs/Timed.ts"
import { Incidents } from "./Incidents.ts"
import { Integrity } from "./Integrity.ts"
import { IntegrityQueue } from "./IntegrityQueue.ts"

/** With two proofs a day, every object is read at least once in 24 hours, even if a proof takes long. */
const proof_interval = "12 hours"
const proof_interval_ms = 12 * 60 * 60 * 1000
/** Maximum time that a new organization waits for its first checkpoint. */
const first_interval = "10 minutes"

export const IntegrityWorker = Layer.unwrap(
  Effect.gen(function* () {
    const integrity = yield* Integrity
    const incidents = yield* Incidents
    const jobs = yield* Jobs

    /** Enqueues a proof of each organization for the current half of the day. */
    const enqueue = Effect.gen(function* () {
      const slot = Math.floor((yield* Clock.currentTimeMillis) / proof_interval_ms)
      for (const organization_id of yield* integrity.organizations) {
        yield* jobs.offer(IntegrityQueue, { organization_id }, { id: `${organization_id}-${slot}` })
      }
    })

    const enqueueFirst = Effect.gen(function* () {
      for (const organization_id of yield* integrity.unproven) {
        yield* jobs.offer(IntegrityQueue, { organization_id }, { id: `${organization_id}-first` })
      }
    })

    const proofs = worker(IntegrityQueue, ({ organization_id }, { last }) =>
      Effect.tapCause(integrity.prove(organization_id), () => (last ? integrity.giveUp(organization_id) : Effect.void))
    )

    // Every process with workers measures, because the metrics of each process are read separately.
    const measuring = Layer.effectDiscard(measureEvery("15 seconds", "the open incidents")(incidents.measure))

    return Layer.mergeAll(
      proofs,
      measuring,
      timed({ name: "archive.integrity", every: proof_interval, run: enqueue }),
      timed({ name: "archive.first_proofs", every: first_interval, run: enqueueFirst })
    )
  })
)

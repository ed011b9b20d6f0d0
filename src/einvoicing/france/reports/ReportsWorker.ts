import { Effect, Layer, Schema } from "effect"
import { now } from "../../../kernel/Calendar.ts"
import { OrganizationId } from "../../../kernel/Ids.ts"
import { backOff, job, Jobs, worker } from "../../../platform/jobs/Jobs.ts"
import { timed } from "../../../platform/jobs/Timed.ts"
import { Connections } from "../../providers/connections/Connections.ts"
import { FrenchReports } from "./FrenchReports.ts"

const interval = "1 hour"
const hour_characters = "2026-01-01T00".length

/** Makes and submits the reports of one organization. If all attempts fail, the job of the next hour does the work. */
const ReportsQueue = job({
  name: "einvoices.french-reports",
  payload: Schema.Struct({ organization_id: OrganizationId }),
  attempts_max: 4,
  back_off: backOff("1 minute", "10 minutes"),
  concurrency: 2,
  time_limit: "4 minutes"
})

export const ReportsWorker = Layer.unwrap(
  Effect.gen(function* () {
    const connections = yield* Connections
    const reports = yield* FrenchReports
    const jobs = yield* Jobs
    const order = Effect.gen(function* () {
      const hour = (yield* now).slice(0, hour_characters)
      for (const { organization_id, provider } of yield* connections.list()) {
        if (provider !== "fr_ctc") continue
        yield* jobs.offer(ReportsQueue, { organization_id }, { id: `${organization_id}:${hour}` })
      }
    })
    return Layer.merge(
      worker(ReportsQueue, ({ organization_id }) => reports.run(organization_id)),
      timed({ name: "einvoices.french-reports", every: interval, run: order })
    )
  })
)

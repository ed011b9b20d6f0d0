import { Effect, Layer, Option } from "effect"
import { IssuedDocuments } from "../../billing/archiving/IssuedDocuments.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { einvoicingCountry } from "../countries/Countries.ts"
import { networks } from "../providers/Network.ts"
import { RecordingQueue } from "./RecordingQueue.ts"

/** Enqueues the registration of each issued document in countries whose authority registers all documents. */
export const IssuedDocumentsLive = Layer.effect(
  IssuedDocuments,
  Effect.gen(function* () {
    const jobs = yield* Jobs
    return {
      announce: Effect.fn("IssuedDocuments.announce")(function* (document, order) {
        const { country, id: organization_id } = yield* CurrentOrganization
        const isRegistered = Option.exists(
          einvoicingCountry(country),
          ({ network }) => networks[network].registers === true
        )
        if (isRegistered) yield* jobs.offer(RecordingQueue, { ...document, organization_id }, order)
      })
    }
  })
)

import { Effect, Layer, Option } from "effect"
import { NonChronological } from "../../billing/invoices/InvoiceErrors.ts"
import { today } from "../../kernel/Calendar.ts"
import { IssuedDocuments } from "../../billing/archiving/IssuedDocuments.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { einvoicingCountry } from "../countries/Countries.ts"
import { madrid } from "../countries/Spain.ts"
import { networks } from "../providers/Network.ts"
import { RegistrationsRepo } from "../registrations/RegistrationsRepo.ts"
import { isRecorded } from "./RecordedDocuments.ts"
import { RecordingQueue } from "./RecordingQueue.ts"

/** Enqueues the recording of each issued document in countries whose authority records all documents. */
export const IssuedDocumentsLive = Layer.effect(
  IssuedDocuments,
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const registrations = yield* RegistrationsRepo

    const requireDate: IssuedDocuments["Service"]["requireDate"] = Effect.fn("IssuedDocuments.requireDate")(
      function* (issue_date) {
        const { country, id } = yield* CurrentOrganization
        if (!recordsAll(country)) return
        const registration = yield* registrations.findCurrent(id)
        // The agency refuses a record that is dated after the day of its arrival (error 1112).
        const isAhead = Option.exists(registration, isRecorded) && issue_date > (yield* today(madrid))
        if (isAhead) return yield* NonChronological.ahead()
      }
    )

    return {
      requireDate,
      announce: Effect.fn("IssuedDocuments.announce")(function* (document, delayed) {
        const { country, id: organization_id } = yield* CurrentOrganization
        if (recordsAll(country)) yield* jobs.offer(RecordingQueue, { ...document, organization_id }, delayed)
      })
    }
  })
).pipe(Layer.provide(RegistrationsRepo.layer))

const recordsAll = (country: string | null): boolean =>
  Option.exists(einvoicingCountry(country), ({ network }) => networks[network].registers === true)

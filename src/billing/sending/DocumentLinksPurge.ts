import { Effect } from "effect"
import { timed } from "../../platform/jobs/Timed.ts"
import { DocumentLinksRepo } from "./DocumentLinksRepo.ts"
import { SendLeasesRepo } from "./SendLeasesRepo.ts"
import { DocumentSendsRepo } from "./DocumentSendsRepo.ts"

/** Removes old sends, expired leases and undelivered links. A delivered link stays, to say that it has expired. */
export const purgeDocumentLinks = Effect.fn("purgeDocumentLinks")(
  function* () {
    const links = yield* DocumentLinksRepo
    const sendings = yield* SendLeasesRepo
    const sends = yield* DocumentSendsRepo
    return {
      links: yield* links.purgeUndelivered,
      sendings: yield* sendings.purge,
      sends: yield* sends.purge
    }
  },
  Effect.provide([DocumentLinksRepo.layer, SendLeasesRepo.layer, DocumentSendsRepo.layer])
)

export const DocumentLinksPurgeWorker = timed({
  name: "document_links.purge",
  every: "1 day",
  run: Effect.suspend(purgeDocumentLinks)
})

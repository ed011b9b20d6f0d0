import { Effect } from "effect"
import { timed } from "../../platform/jobs/Timed.ts"
import { removeInBatches } from "../../platform/sql/statements/Purge.ts"
import { DocumentLinksRepo } from "./DocumentLinksRepo.ts"
import { DocumentSendingsRepo } from "./DocumentSendingsRepo.ts"
import { DocumentSendsRepo } from "./DocumentSendsRepo.ts"

/** Removes old sends, expired leases and undelivered links. A delivered link stays, to say that it has expired. */
export const purgeDocumentLinks = Effect.fn("purgeDocumentLinks")(
  function* () {
    const links = yield* DocumentLinksRepo
    const sendings = yield* DocumentSendingsRepo
    const sends = yield* DocumentSendsRepo
    return {
      links: yield* links.purgeUndelivered,
      sendings: yield* sendings.purge,
      sends: yield* removeInBatches("document_sends", sends.purge)
    }
  },
  Effect.provide([DocumentLinksRepo.layer, DocumentSendingsRepo.layer, DocumentSendsRepo.layer])
)

export const DocumentLinksPurgeWorker = timed({
  name: "document_links.purge",
  every: "1 day",
  run: Effect.suspend(purgeDocumentLinks)
})

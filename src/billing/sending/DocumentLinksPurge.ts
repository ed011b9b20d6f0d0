import { Effect } from "effect"
import { purge } from "../../platform/sql/statements/Purge.ts"
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
      links: yield* purge("document_links", links.purgeUndelivered),
      sendings: yield* purge("document_sendings", sendings.purge),
      sends: yield* purge("document_sends", sends.purge)
    }
  },
  Effect.provide([DocumentLinksRepo.layer, DocumentSendingsRepo.layer, DocumentSendsRepo.layer])
)

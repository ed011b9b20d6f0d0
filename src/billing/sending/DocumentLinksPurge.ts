import { Effect } from "effect"
import { purge } from "../../platform/sql/Purge.ts"
import { DocumentLinksRepo } from "./DocumentLinksRepo.ts"
import { DocumentSendingsRepo } from "./DocumentSendingsRepo.ts"
import { DocumentSendsRepo } from "./DocumentSendsRepo.ts"

/**
 * Removes links of messages that no mail server took, long after they expired, the leases of senders that died, and what
 * was recorded of old sends. A delivered link stays, so that its page can say that it has expired.
 */
export const purgeDocumentLinks = Effect.fn("purgeDocumentLinks")(
  function* () {
    const links = yield* DocumentLinksRepo
    const sendings = yield* DocumentSendingsRepo
    const sends = yield* DocumentSendsRepo
    return {
      links: yield* purge(links.purgeUndelivered),
      sendings: yield* purge(sendings.purge),
      sends: yield* purge(sends.purge)
    }
  },
  Effect.provide([DocumentLinksRepo.layer, DocumentSendingsRepo.layer, DocumentSendsRepo.layer])
)

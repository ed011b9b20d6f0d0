import { Effect } from "effect"
import { purge } from "../../platform/sql/Purge.ts"
import { DocumentLinksRepo } from "./DocumentLinksRepo.ts"
import { DocumentSendingsRepo } from "./DocumentSendingsRepo.ts"

/**
 * Removes links that were in no message that was taken, long after they expired, and the marks of senders that died. A
 * delivered link stays: the Message-ID of the next message to its recipient counts the ones before.
 */
export const purgeDocumentLinks = Effect.fn("purgeDocumentLinks")(
  function* () {
    const links = yield* DocumentLinksRepo
    const sendings = yield* DocumentSendingsRepo
    return { links: yield* purge(links.purgeUndelivered), sendings: yield* purge(sendings.purge) }
  },
  Effect.provide([DocumentLinksRepo.layer, DocumentSendingsRepo.layer])
)

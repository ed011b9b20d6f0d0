import { Effect } from "effect"
import { purge } from "../../platform/sql/Purge.ts"
import { DocumentLinksRepo } from "./DocumentLinksRepo.ts"

/**
 * Removes links that were in no message that was taken, long after they expired, and the marks of senders that died. A
 * delivered link stays: the Message-ID of the next message to its recipient counts the ones before.
 */
export const purgeDocumentLinks = Effect.fn("purgeDocumentLinks")(function* () {
  const repo = yield* DocumentLinksRepo
  const links = yield* purge(repo.purgeUndelivered)
  const sendings = yield* purge(repo.purgeSendings)
  return { links, sendings }
}, Effect.provide(DocumentLinksRepo.layer))

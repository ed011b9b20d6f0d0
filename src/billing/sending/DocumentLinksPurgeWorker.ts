import { Effect } from "effect"
import { timed } from "../../platform/jobs/Timed.ts"
import { purgeDocumentLinks } from "./DocumentLinksPurge.ts"

export const DocumentLinksPurgeWorker = timed({
  name: "document_links.purge",
  every: "1 day",
  run: Effect.suspend(purgeDocumentLinks)
})

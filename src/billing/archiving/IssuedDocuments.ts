import { Context, type Duration, Effect } from "effect"
import type { DocumentKey } from "../../archive/deposits/Deposit.ts"
import type { CurrentOrganization } from "../../platform/http/Security.ts"

/** Port to the e-invoicing context, because the law of some countries requires a record of every issued document. */
export const IssuedDocuments = Context.Reference<{
  /**
   * Must run in the transaction that issues the document. With a delay, the issue may still be undone, and the call is
   * repeated without a delay once it is final.
   */
  readonly announce: (
    document: DocumentKey,
    order?: { readonly delay: Duration.Input }
  ) => Effect.Effect<void, never, CurrentOrganization>
}>("invoicing/billing/archiving/IssuedDocuments", { defaultValue: () => ({ announce: () => Effect.void }) })

import { Context, type Duration, type Effect } from "effect"
import type { DocumentKey } from "../../archive/deposits/Deposit.ts"
import type { CurrentOrganization } from "../../platform/http/Security.ts"

/** Implemented by `src/einvoicing`, which records every issued document where the law of a country requires it. */
export class IssuedDocuments extends Context.Service<
  IssuedDocuments,
  {
    /**
     * Must run in the transaction that issues the document. A document that may still become a draft again is announced
     * with a delay. It is announced again, without a delay, once it certainly stays issued.
     */
    readonly announce: (
      document: DocumentKey,
      order?: { readonly delay: Duration.Input }
    ) => Effect.Effect<void, never, CurrentOrganization>
  }
>()("invoicing/billing/archiving/IssuedDocuments") {}

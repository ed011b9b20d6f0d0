import { Context, type Duration, type Effect } from "effect"
import type { ArchivedDocument } from "../../archive/deposits/Deposit.ts"
import type { Day } from "../../kernel/Calendar.ts"
import type { NonChronological } from "../invoices/InvoiceErrors.ts"
import type { CurrentOrganization } from "../../platform/http/Security.ts"

/** Implemented by `src/einvoicing`, which records every issued document where the law of a country requires it. */
export class IssuedDocuments extends Context.Service<
  IssuedDocuments,
  {
    /** Refuses an invoice dated in the future if the law requires its record on the day on which it is issued. */
    readonly requireDate: (issue_date: Day) => Effect.Effect<void, NonChronological, CurrentOrganization>
    /**
     * Must run in the transaction that issues the document. A document that may still become a draft again is announced
     * with a delay. It is announced again, without a delay, once it certainly stays issued.
     */
    readonly announce: (
      document: ArchivedDocument,
      delayed?: { readonly delay: Duration.Input }
    ) => Effect.Effect<void, never, CurrentOrganization>
  }
>()("invoicing/billing/archiving/IssuedDocuments") {}

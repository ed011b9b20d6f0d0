import { Context, type Effect, type Option } from "effect"
import type { CurrentOrganization } from "../../platform/http/Security.ts"
import type { CreditNote } from "../credit-notes/CreditNote.ts"
import type { Invoice } from "../invoices/Invoice.ts"
import type { Correspondents } from "../correspondence/Correspondents.ts"

export type Printing =
  | { readonly kind: "invoice"; readonly document: Invoice; readonly parties: Correspondents }
  | { readonly kind: "credit_note"; readonly document: CreditNote; readonly parties: Correspondents }

/** Implemented by `src/einvoicing`: generates the XML that is embedded in the PDF of an issued document. */
export class EmbeddedInvoice extends Context.Service<
  EmbeddedInvoice,
  {
    /** None for a draft, a void invoice, a document that violates EN 16931, and if `pdf_format` is not `facturx`. */
    readonly xml: (printing: Printing) => Effect.Effect<Option.Option<string>, never, CurrentOrganization>
  }
>()("invoicing/billing/printing/EmbeddedInvoice") {}

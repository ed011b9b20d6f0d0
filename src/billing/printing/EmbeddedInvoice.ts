import { Context, type Effect, type Option } from "effect"
import type { CurrentOrganization } from "../../platform/http/Security.ts"
import type { CreditNote } from "../credit-notes/CreditNote.ts"
import type { Invoice } from "../invoices/Invoice.ts"
import type { Correspondents } from "../correspondence/Correspondents.ts"

export type Printing =
  | { readonly kind: "invoice"; readonly document: Invoice; readonly parties: Correspondents }
  | { readonly kind: "credit_note"; readonly document: CreditNote; readonly parties: Correspondents }

/** Port to the e-invoicing context, which generates the XML that is embedded in the PDF of an issued document. */
export class EmbeddedInvoice extends Context.Service<
  EmbeddedInvoice,
  {
    /**
     * Returns None when the PDF must stay plain: for a draft, for a void invoice, for a document that violates a rule
     * of EN 16931, and when the organization's setting `pdf_format` requests plain PDFs.
     */
    readonly xml: (printing: Printing) => Effect.Effect<Option.Option<string>, never, CurrentOrganization>
  }
>()("invoicing/billing/printing/EmbeddedInvoice") {}

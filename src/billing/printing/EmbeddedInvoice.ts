import { Context, type Effect, type Option } from "effect"
import type { CurrentOrganization } from "../../platform/http/Security.ts"
import type { CreditNoteFacts } from "../credit-notes/CreditNote.ts"
import type { InvoiceFacts } from "../invoices/Invoice.ts"
import type { Correspondents } from "./Correspondents.ts"

/** A document and the parties that are printed on it. */
export type PrintedFacts =
  | { readonly kind: "invoice"; readonly facts: InvoiceFacts; readonly parties: Correspondents }
  | { readonly kind: "credit_note"; readonly facts: CreditNoteFacts; readonly parties: Correspondents }

/** Port: the e-invoicing context writes the XML that the PDF of an issued document carries. */
export class EmbeddedInvoice extends Context.Service<
  EmbeddedInvoice,
  {
    /**
     * The XML, or none when the PDF is to be a plain one: of a draft, of a void invoice, of a document that breaks a
     * rule of EN 16931, and when the organization's setting `pdf_format` asks for plain PDFs.
     */
    readonly xml: (document: PrintedFacts) => Effect.Effect<Option.Option<string>, never, CurrentOrganization>
  }
>()("invoicing/billing/printing/EmbeddedInvoice") {}

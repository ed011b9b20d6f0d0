import { Context, type Effect, type Option } from "effect"
import type { CurrentOrganization } from "../../platform/http/Security.ts"
import type { CreditNote } from "../credit-notes/CreditNote.ts"
import type { Invoice } from "../invoices/Invoice.ts"
import type { Correspondents } from "./Correspondents.ts"

/** A document and the parties that are printed on it. */
export type Printing =
  | { readonly kind: "invoice"; readonly document: Invoice; readonly parties: Correspondents }
  | { readonly kind: "credit_note"; readonly document: CreditNote; readonly parties: Correspondents }

/** Port: the e-invoicing context writes the XML that the PDF of an issued document carries. */
export class EmbeddedInvoice extends Context.Service<
  EmbeddedInvoice,
  {
    /**
     * The XML, or none when the PDF is to be a plain one: of a draft, of a void invoice, of a document that breaks a
     * rule of EN 16931, and when the organization's setting `pdf_format` asks for plain PDFs.
     */
    readonly xml: (printing: Printing) => Effect.Effect<Option.Option<string>, never, CurrentOrganization>
  }
>()("invoicing/billing/printing/EmbeddedInvoice") {}

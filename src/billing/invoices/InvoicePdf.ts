import { Context, Effect, Layer } from "effect"
import type { InvoiceId } from "../../kernel/Ids.ts"
import type { NotFound } from "../../kernel/Refusal.ts"
import { Pdf } from "../../platform/documents/Pdf.ts"
import type { PdfUnavailable } from "../../platform/documents/PdfUnavailable.ts"
import type { CurrentOrganization } from "../../platform/http/Security.ts"
import { Correspondence, type DocumentFile } from "../delivery/Correspondence.ts"
import { invoicePdf, invoiceTemplate } from "./InvoicePdfDocument.ts"
import { Invoices } from "./Invoices.ts"

/** The printed invoice: PDF/A-3, the same bytes for the same invoice. */
export class InvoicePdf extends Context.Service<
  InvoicePdf,
  {
    readonly render: (id: InvoiceId) => Effect.Effect<DocumentFile, NotFound | PdfUnavailable, CurrentOrganization>
  }
>()("invoicing/billing/invoices/InvoicePdf") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const invoices = yield* Invoices
      const correspondence = yield* Correspondence
      const pdf = yield* Pdf

      const render = Effect.fn("InvoicePdf.render")(function* (id: InvoiceId) {
        const invoice = yield* invoices.get(id)
        const name = invoice.number ?? invoice.draft_reference ?? ""
        const printed = { ...invoice, draft_reference: name }
        const correspondents = yield* correspondence.on("invoice", invoice, invoice.number === null)
        const document = invoicePdf({ invoice: printed, ...correspondents })
        return { name: `${name}.pdf`, bytes: yield* pdf.render(invoiceTemplate, document) }
      })

      return InvoicePdf.of({ render })
    })
  ).pipe(Layer.provide([Invoices.layer, Correspondence.layer]))
}

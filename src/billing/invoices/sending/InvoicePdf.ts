import { Context, Effect, Layer, Option } from "effect"
import type { InvoiceId } from "../../../kernel/Ids.ts"
import { fileNameOf } from "../../../kernel/NumberFormat.ts"
import type { NotFound } from "../../../kernel/Refusal.ts"
import type { PdfRefused } from "../../../platform/documents/pdf/PdfErrors.ts"
import { CurrentOrganization } from "../../../platform/http/Security.ts"
import { ClearanceStamps } from "../../printing/ClearanceStamps.ts"
import { Correspondence, type DocumentFile } from "../../correspondence/Correspondence.ts"
import type { Correspondents } from "../../correspondence/Correspondents.ts"
import { nameOf } from "../../printing/DocumentPdf.ts"
import { DocumentPrinter } from "../../printing/DocumentPrinter.ts"
import { EmbeddedInvoice } from "../../printing/EmbeddedInvoice.ts"
import type { Invoice } from "../Invoice.ts"
import { invoicePdf, type InvoicePdfDocument, invoiceTemplate } from "../../printing/documents/InvoicePdfDocument.ts"
import { Invoices } from "../writing/Invoices.ts"

/** Renders an invoice as PDF/A-3, with any e-invoice embedded. The same invoice always gives the same bytes. */
export class InvoicePdf extends Context.Service<
  InvoicePdf,
  {
    readonly render: (id: InvoiceId) => Effect.Effect<DocumentFile, NotFound | PdfRefused, CurrentOrganization>
    readonly sheet: (invoice: Invoice) => Effect.Effect<InvoicePdfDocument, never, CurrentOrganization>
  }
>()("invoicing/billing/invoices/sending/InvoicePdf") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const invoices = yield* Invoices
      const correspondence = yield* Correspondence
      const stamps = yield* ClearanceStamps
      const embedded = yield* EmbeddedInvoice
      const { print } = yield* DocumentPrinter

      const partiesOf = (invoice: Invoice) => correspondence.on("invoice", invoice, invoice.issued_at === null)

      const sheetOf = Effect.fnUntraced(function* (invoice: Invoice, parties: Correspondents) {
        const record = yield* stamps.find({ kind: "invoice", id: invoice.id })
        const sandbox = Option.exists(record, ({ sandbox }) => sandbox)
        const verifiable = {
          ...invoice,
          kind: "invoice",
          // A void invoice was never issued, although it has a number.
          number: invoice.issued_at === null ? null : invoice.number
        } as const
        const tax_qr = Option.getOrNull(yield* stamps.qr(verifiable, parties))
        return invoicePdf({ invoice: { ...invoice, draft_reference: nameOf(invoice) }, ...parties, sandbox, tax_qr })
      })

      const sheet = Effect.fn("InvoicePdf.sheet")(function* (invoice: Invoice) {
        return yield* sheetOf(invoice, yield* partiesOf(invoice))
      })

      const render = Effect.fn("InvoicePdf.render")(function* (id: InvoiceId) {
        const invoice = yield* invoices.get(id)
        const { id: organization_id } = yield* CurrentOrganization
        const parties = yield* partiesOf(invoice)
        const xml = yield* embedded.xml({ kind: "invoice", document: invoice, parties })
        const bytes = yield* print(invoiceTemplate, yield* sheetOf(invoice, parties), xml, organization_id)
        return { name: fileNameOf(nameOf(invoice), "pdf"), bytes }
      })

      return InvoicePdf.of({ render, sheet })
    })
  ).pipe(Layer.provide([Invoices.layer, Correspondence.layer, DocumentPrinter.layer]))
}

import { Context, Effect, Layer } from "effect"
import { Customers } from "../../customers/Customers.ts"
import type { InvoiceId } from "../../kernel/Ids.ts"
import type { NotFound } from "../../kernel/Refusal.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { Pdf } from "../../platform/documents/Pdf.ts"
import type { PdfUnavailable } from "../../platform/documents/PdfUnavailable.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { invoicePdf, invoiceTemplate, type PrintedCustomer } from "../delivery/DocumentPdf.ts"
import { Invoices } from "./Invoices.ts"

export interface InvoiceFile {
  /** Name for saving it: the number, or the reference of a draft. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** The printed invoice: PDF/A-3, the same bytes for the same invoice. */
export class InvoicePdf extends Context.Service<
  InvoicePdf,
  {
    readonly render: (id: InvoiceId) => Effect.Effect<InvoiceFile, NotFound | PdfUnavailable, CurrentOrganization>
  }
>()("invoicing/billing/invoices/InvoicePdf") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const invoices = yield* Invoices
      const customers = yield* Customers
      const organizations = yield* Organizations
      const pdf = yield* Pdf

      const render = Effect.fn("InvoicePdf.render")(function* (id: InvoiceId) {
        const invoice = yield* invoices.get(id)
        const customer = yield* customers
          .get(invoice.customer_id)
          .pipe(Effect.catchTag("NotFound", () => Effect.succeed(withoutAddress(invoice.customer.name))))
        const { id: organization_id } = yield* CurrentOrganization
        const organization = yield* organizations.get(organization_id)
        const { payment_bic, payment_iban } = organization.settings
        const account = { iban: payment_iban ?? null, bic: payment_bic ?? null }
        const name = invoice.number ?? invoice.draft_reference ?? ""
        const printed = { ...invoice, draft_reference: name }
        const document = invoicePdf({ invoice: printed, customer, organization: { ...organization, ...account } })
        return { name: `${name}.pdf`, bytes: yield* pdf.render(invoiceTemplate, document) }
      })

      return InvoicePdf.of({ render })
    })
  ).pipe(Layer.provide([Invoices.layer, Customers.layer, Organizations.layer]))
}

/** The customer of a draft may have been deleted since; the name stays on it. */
const withoutAddress = (name: string): PrintedCustomer => ({
  name,
  address_line1: null,
  address_line2: null,
  postal_code: null,
  city: null,
  state: null,
  country: null,
  tax_number: null,
  language: null
})

import { Layer } from "effect"
import { CreditNotePdf } from "./credit-notes/CreditNotePdf.ts"
import { CreditNotes } from "./credit-notes/CreditNotes.ts"
import { CreditNoteSending } from "./credit-notes/CreditNoteSending.ts"
import { CreditNotesHttp } from "./credit-notes/CreditNotesHttp.ts"
import { InvoicePdf } from "./invoices/InvoicePdf.ts"
import { InvoiceSending } from "./invoices/InvoiceSending.ts"
import { InvoicesHttp } from "./invoices/InvoicesHttp.ts"
import { Invoices } from "./invoices/Invoices.ts"
import { Payments } from "./payments/Payments.ts"
import { PaymentsHttp } from "./payments/PaymentsHttp.ts"
import { TaxRates } from "./taxes/TaxRates.ts"
import { TemplatesHttp } from "./templates/TemplatesHttp.ts"

export const BillingServices = Layer.mergeAll(
  Invoices.layer,
  InvoiceSending.layer,
  InvoicePdf.layer,
  Payments.layer,
  TaxRates.layer
)

const CreditNoteServices = Layer.mergeAll(CreditNotes.layer, CreditNotePdf.layer, CreditNoteSending.layer)

export const BillingHttp = Layer.mergeAll(
  Layer.mergeAll(InvoicesHttp, PaymentsHttp, TemplatesHttp).pipe(Layer.provide(BillingServices)),
  CreditNotesHttp.pipe(Layer.provide(CreditNoteServices))
)

import { Layer } from "effect"
import { Attachments } from "./invoices/attachments/Attachments.ts"
import { AttachmentsHttp } from "./invoices/attachments/AttachmentsHttp.ts"
import { AttachmentsSweep } from "./invoices/attachments/AttachmentsSweep.ts"
import { InvoicePdf } from "./invoices/InvoicePdf.ts"
import { InvoicesHttp } from "./invoices/InvoicesHttp.ts"
import { Invoices } from "./invoices/Invoices.ts"
import { Payments } from "./payments/Payments.ts"
import { PaymentsHttp } from "./payments/PaymentsHttp.ts"
import { TaxRates } from "./taxes/TaxRates.ts"

export const BillingServices = Layer.mergeAll(
  Invoices.layer,
  Attachments.layer,
  InvoicePdf.layer,
  Payments.layer,
  TaxRates.layer
)

export const BillingHttp = Layer.mergeAll(InvoicesHttp, AttachmentsHttp, PaymentsHttp, AttachmentsSweep).pipe(
  Layer.provide(BillingServices)
)

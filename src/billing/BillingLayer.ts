import { Layer } from "effect"
import { ArchivingWorker } from "./archiving/ArchivingWorker.ts"
import { CreditNotePdf } from "./credit-notes/sending/CreditNotePdf.ts"
import { CreditNotes } from "./credit-notes/writing/CreditNotes.ts"
import { CreditNoteSender } from "./credit-notes/sending/CreditNoteSender.ts"
import { CreditNotesHttp } from "./credit-notes/http/CreditNotesHttp.ts"
import { Customers } from "../customers/Customers.ts"
import { CustomerDocumentsHttp } from "./CustomerDocumentsHttp.ts"
import { DeadlinesWorker } from "./deadlines/DeadlinesWorker.ts"
import { DocumentDeliveries } from "./sending/deliveries/DocumentDeliveries.ts"
import { DocumentLinksPurgeWorker } from "./sending/DocumentLinksPurge.ts"
import { Attachments } from "./invoices/attachments/Attachments.ts"
import { AttachmentsHttp } from "./invoices/http/AttachmentsHttp.ts"
import { AttachmentArchivingWorker } from "./invoices/attachments/AttachmentArchivingWorker.ts"
import { AttachmentsSweepWorker } from "./invoices/attachments/AttachmentsSweep.ts"
import { InvoicePdf } from "./invoices/sending/InvoicePdf.ts"
import { InvoiceSender } from "./invoices/sending/InvoiceSender.ts"
import { InvoicesHttp } from "./invoices/http/InvoicesHttp.ts"
import { Invoices } from "./invoices/writing/Invoices.ts"
import { InvoiceRemover } from "./invoices/writing/InvoiceRemover.ts"
import { Payments } from "./payments/Payments.ts"
import { PaymentsHttp } from "./payments/PaymentsHttp.ts"
import { Refunds } from "./payments/Refunds.ts"
import { QuoteDecisions } from "./quotes/QuoteDecisions.ts"
import { QuotePdf } from "./quotes/QuotePdf.ts"
import { QuotesHttp } from "./quotes/QuotesHttp.ts"
import { Quotes } from "./quotes/Quotes.ts"
import { QuoteSender } from "./quotes/QuoteSender.ts"
import { Portal } from "./portal/Portal.ts"
import { PortalPages } from "./portal/PortalHttp.ts"
import { MailPreviewHttp } from "./sending/preview/MailPreviewHttp.ts"
import { MailPreviews } from "./sending/preview/MailPreviews.ts"
import { MailRetriesWorker } from "./mail-retries/MailRetriesWorker.ts"
import { TaxRates } from "./taxes/TaxRates.ts"
import { TaxRatesHttp } from "./taxes/TaxRatesHttp.ts"
import { TemplatesHttp } from "./templates/TemplatesHttp.ts"

const BillingServices = Layer.mergeAll(
  Invoices.layer,
  InvoiceRemover.layer,
  InvoiceSender.layer,
  Attachments.layer,
  InvoicePdf.layer,
  Payments.layer,
  Refunds.layer,
  TaxRates.layer
)

const CreditNoteServices = Layer.mergeAll(CreditNotes.layer, CreditNotePdf.layer, CreditNoteSender.layer)

const QuoteServices = Layer.mergeAll(Quotes.layer, QuoteDecisions.layer, QuotePdf.layer, QuoteSender.layer)

export const BillingLayer = Layer.mergeAll(
  InvoicesHttp,
  AttachmentsHttp,
  PaymentsHttp,
  TemplatesHttp,
  TaxRatesHttp,
  CreditNotesHttp,
  QuotesHttp,
  CustomerDocumentsHttp,
  MailPreviewHttp
).pipe(
  Layer.provide([
    BillingServices,
    CreditNoteServices,
    QuoteServices,
    Customers.layer,
    MailPreviews.layer,
    DocumentDeliveries.layer
  ])
)

export { SalesBooks } from "./books/SalesBooks.ts"

export const BillingPages = PortalPages.pipe(Layer.provide(Portal.layer))

export const BillingWorkers = Layer.mergeAll(
  DeadlinesWorker,
  ArchivingWorker,
  AttachmentArchivingWorker,
  AttachmentsSweepWorker,
  DocumentLinksPurgeWorker,
  MailRetriesWorker
)

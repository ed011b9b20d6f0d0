import { OpenApi } from "effect/http-api"
import { ArchiveApi } from "./archive/ArchiveApi.ts"
import { ExportsApi } from "./archive/exports/ExportsApi.ts"
import { BankAccountsApi } from "./banking/endpoints/BankAccountsApi.ts"
import { BankRulesApi } from "./banking/rules/BankRulesApi.ts"
import { RefundsApi } from "./banking/refunds/RefundsApi.ts"
import { BankTransactionsApi } from "./banking/endpoints/BankTransactionsApi.ts"
import { BatchApi } from "./batch/BatchApi.ts"
import { CreditNotesApi } from "./billing/credit-notes/http/CreditNotesApi.ts"
import { CustomerDocumentsApi } from "./billing/CustomerDocumentsApi.ts"
import { AttachmentsApi } from "./billing/invoices/http/AttachmentsApi.ts"
import { InvoicesApi } from "./billing/invoices/http/InvoicesApi.ts"
import { PaymentsApi } from "./billing/payments/PaymentsApi.ts"
import { QuotesApi } from "./billing/quotes/QuotesApi.ts"
import { MailPreviewApi } from "./billing/sending/preview/MailPreviewApi.ts"
import { TaxRatesApi } from "./billing/taxes/TaxRatesApi.ts"
import { TemplatesApi } from "./billing/templates/TemplatesApi.ts"
import { ContactsApi } from "./customers/contacts/ContactsApi.ts"
import { CustomersApi } from "./customers/CustomersApi.ts"
import { CustomerNetworkApi } from "./einvoicing/directory/CustomerNetworkApi.ts"
import { DirectoryApi } from "./einvoicing/directory/DirectoryApi.ts"
import { EinvoicesApi } from "./einvoicing/endpoints/EinvoicesApi.ts"
import { EInvoiceFilesApi } from "./einvoicing/files/EInvoiceFilesApi.ts"
import { ReceivedApi } from "./einvoicing/received/ReceivedApi.ts"
import { RegistrationsApi } from "./einvoicing/registrations/RegistrationsApi.ts"
import { ExpensesApi } from "./expenses/ExpensesApi.ts"
import { ReceiptsApi } from "./expenses/receipts/ReceiptsApi.ts"
import { OAuthApi, OAuthExtensionsApi } from "./identity/oauth/OAuthApi.ts"
import { SessionApi } from "./identity/session/SessionApi.ts"
import { MembersApi } from "./organizations/members/MembersApi.ts"
import { OrganizationsApi } from "./organizations/OrganizationsApi.ts"
import { OperationsApi } from "./operations/OperationsApi.ts"
import { contract } from "./platform/http/Contract.ts"
import { CustomerReportsApi } from "./reports/customers/CustomerReportsApi.ts"
import { OrganizationStatisticsApi } from "./reports/organizations/OrganizationStatisticsApi.ts"
import { ReportsApi } from "./reports/ReportsApi.ts"
import { EventsApi } from "./webhooks/events/EventsApi.ts"
import { WebhooksApi } from "./webhooks/WebhooksApi.ts"

/** The whole HTTP contract. The client package contains this module, so it imports no server code. */
export const Api = contract
  .add(OAuthApi, OAuthExtensionsApi, SessionApi)
  .add(OrganizationsApi, MembersApi, OrganizationStatisticsApi, MailPreviewApi)
  .add(CustomersApi, ContactsApi, CustomerDocumentsApi, CustomerReportsApi)
  .add(InvoicesApi, AttachmentsApi, PaymentsApi, TemplatesApi, TaxRatesApi)
  .add(QuotesApi, CreditNotesApi, BatchApi, OperationsApi)
  .add(WebhooksApi, EventsApi)
  .add(ExpensesApi, ReceiptsApi)
  .add(BankAccountsApi, BankRulesApi, BankTransactionsApi, RefundsApi)
  .add(ArchiveApi, ExportsApi)
  .add(RegistrationsApi, DirectoryApi, CustomerNetworkApi, EinvoicesApi, ReceivedApi, EInvoiceFilesApi)
  .add(ReportsApi)
  .annotate(OpenApi.Title, "Invoicing")
  .annotate(OpenApi.Version, "1.1.0")
  .annotate(
    OpenApi.Description,
    "Every answer has the headers `X-RateLimit-Limit` and `X-RateLimit-Remaining`, as have this document and `/docs`. " +
      "`/health/live`, `/health/ready`, `/metrics` and `/.well-known/*` have no rate limit and no such headers."
  )

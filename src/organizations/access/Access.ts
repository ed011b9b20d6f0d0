import type { Permission } from "./Permission.ts"

interface Access {
  readonly scopes: ReadonlyArray<string>
  readonly permissions: ReadonlyArray<Permission>
}

type Asked<Name extends string> = Name | ReadonlyArray<Name> | null

const listed = <Name extends string>(asked: Asked<Name>): ReadonlyArray<Name> =>
  asked === null ? [] : typeof asked === "string" ? [asked] : asked

const needs = (scopes: Asked<string>, permissions: Asked<Permission>): Access => ({
  scopes: listed(scopes),
  permissions: listed(permissions)
})

/** Requirements by `<group>.<endpoint>`, as in the OpenAPI document. Without a row, the scope `*` is required. */
export const accessRows = {
  "session.user": needs(null, null),
  "session.logout": needs(null, null),
  "session.logoutAll": needs(null, null),

  "organizations.list": needs("organizations:read", null),
  "organizations.get": needs("organizations:read", "organizations.view"),
  "organizations.logo": needs("organizations:read", "organizations.view"),
  "organizations.update": needs("organizations:write", "organizations.change"),
  "organizationStatistics.get": needs("organizations:read", "organizations.view"),
  "mailPreview.create": needs("organizations:read", "organizations.view"),
  "members.list": needs("organizations:read", "users.view"),
  "members.invite": needs("organizations:users", "users.manage"),
  "members.update": needs("organizations:users", "users.manage"),
  "members.remove": needs("organizations:users", "users.manage"),

  "customers.list": needs("customers:read", "customers.view"),
  "customers.create": needs("customers:write", "customers.create"),
  "customers.get": needs("customers:read", "customers.view"),
  "customers.update": needs("customers:write", "customers.update"),
  "customers.remove": needs("customers:write", "customers.delete"),

  "customerReports.statement": needs("customers:read", "customers.view"),
  "customerReports.statistics": needs("customers:read", "customers.view"),
  "customerDocuments.invoices": needs(["customers:read", "invoices:read"], "invoices.view"),
  "customerDocuments.quotes": needs("quotes:read", "quotes.view"),

  "contacts.list": needs("contacts:read", "contacts.view"),
  "contacts.create": needs("contacts:write", "contacts.create"),
  "contacts.get": needs("contacts:read", "contacts.view"),
  "contacts.update": needs("contacts:write", "contacts.update"),
  "contacts.remove": needs("contacts:write", "contacts.delete"),

  "invoices.list": needs("invoices:read", "invoices.view"),
  "invoices.create": needs("invoices:write", "invoices.create"),
  "invoices.get": needs("invoices:read", "invoices.view"),
  "invoices.update": needs("invoices:write", "invoices.update"),
  "invoices.remove": needs("invoices:write", "invoices.delete"),
  "invoices.duplicate": needs("invoices:write", "invoices.create"),
  "invoices.markPaid": needs("invoices:write", "payments.create"),
  "invoices.markSent": needs("invoices:write", "invoices.update"),
  "invoices.send": needs("invoices:send", "invoices.send"),
  "invoices.deliveries": needs("invoices:read", "invoices.view"),
  "invoices.pdf": needs("invoices:read", "invoices.view"),
  "einvoiceFiles.invoiceUbl": needs("invoices:read", "invoices.view"),
  "einvoiceFiles.invoiceCii": needs("invoices:read", "invoices.view"),
  "einvoiceFiles.invoiceFacturx": needs("invoices:read", "invoices.view"),

  "taxRates.list": needs("organizations:read", "organizations.view"),
  "taxRates.get": needs("organizations:read", "organizations.view"),

  "templates.list": needs(null, null),
  "templates.create": needs(null, null),
  "templates.createInvoice": needs(null, null),

  "quotes.list": needs("quotes:read", "quotes.view"),
  "quotes.create": needs("quotes:write", "quotes.create"),
  "quotes.get": needs("quotes:read", "quotes.view"),
  "quotes.update": needs("quotes:write", "quotes.update"),
  "quotes.remove": needs("quotes:write", "quotes.delete"),
  "quotes.convertToInvoice": needs("quotes:convert", ["quotes.convert", "invoices.create"]),
  "quotes.duplicate": needs("quotes:write", "quotes.create"),
  "quotes.markAccepted": needs("quotes:write", "quotes.update"),
  "quotes.markRejected": needs("quotes:write", "quotes.update"),
  "quotes.deliveries": needs("quotes:read", "quotes.view"),
  "quotes.pdf": needs("quotes:read", "quotes.view"),
  "quotes.send": needs("quotes:write", "quotes.send"),

  "attachments.list": needs("invoices:read", "invoices.view"),
  "attachments.create": needs("invoices:write", "invoices.update"),
  "attachments.remove": needs("invoices:write", "invoices.update"),
  "attachments.download": needs("invoices:read", "invoices.view"),

  "payments.list": needs("payments:read", "payments.view"),
  "payments.create": needs("payments:write", "payments.create"),
  "payments.get": needs("payments:read", "payments.view"),
  "payments.update": needs("payments:write", "payments.update"),
  "payments.remove": needs("payments:write", "payments.delete"),
  "payments.refund": needs("payments:refund", "payments.refund"),
  "payments.refundInvoice": needs("payments:refund", "payments.refund"),
  "refunds.remove": needs("payments:refund", "payments.refund"),
  "payments.summary": needs("invoices:read", "invoices.view"),

  "expenses.list": needs("expenses:read", "expenses.view"),
  "expenses.create": needs("expenses:write", "expenses.create"),
  "expenses.get": needs("expenses:read", "expenses.view"),
  "expenses.update": needs("expenses:write", "expenses.update"),
  "expenses.remove": needs("expenses:write", "expenses.delete"),
  "expenses.convertToInvoiceItem": needs("expenses:write", ["expenses.update", "invoices.update"]),
  "expenses.duplicate": needs("expenses:write", "expenses.create"),
  "expenses.linkToInvoice": needs("expenses:write", "expenses.update"),
  "expenses.markBillable": needs("expenses:write", "expenses.update"),
  "expenses.markPaid": needs("expenses:write", "expenses.update"),

  "receipts.upload": needs("expenses:write", "expenses.create"),
  "receipts.poll": needs("expenses:read", "expenses.view"),
  "receipts.download": needs("expenses:read", "expenses.view"),

  "bankAccounts.list": needs("bank_accounts.view", "bank_accounts.view"),
  "bankAccounts.get": needs("bank_accounts.view", "bank_accounts.view"),
  "bankAccounts.importStatement": needs("bank_transactions.import", "bank_transactions.import"),
  "bankAccounts.imports": needs("bank_accounts.view", "bank_accounts.view"),
  "bankAccounts.import": needs("bank_accounts.view", "bank_accounts.view"),
  "bankAccounts.removeImport": needs("bank_transactions.import", "bank_transactions.import"),
  "bankAccounts.reconciliationReport": needs("bank_accounts.view", "bank_accounts.view"),
  "bankRules.list": needs("bank_rules.view", "bank_rules.view"),
  "bankRules.create": needs("bank_rules.create", "bank_rules.create"),
  "bankRules.get": needs("bank_rules.view", "bank_rules.view"),
  "bankRules.update": needs("bank_rules.update", "bank_rules.update"),
  "bankRules.remove": needs("bank_rules.delete", "bank_rules.delete"),
  "bankTransactions.list": needs("bank_transactions.view", "bank_transactions.view"),
  "bankTransactions.get": needs("bank_transactions.view", "bank_transactions.view"),
  "bankTransactions.bulkConfirm": needs("bank_transactions.update", "bank_transactions.update"),
  "bankTransactions.match": needs("bank_transactions.update", "bank_transactions.update"),
  "bankTransactions.createDocument": needs("bank_transactions.update", "bank_transactions.update"),
  "bankTransactions.documentPrefill": needs("bank_transactions.view", "bank_transactions.view"),
  "bankTransactions.unmatch": needs("bank_transactions.update", "bank_transactions.update"),
  "archive.state": needs("archive.view", "archive.view"),
  "archive.documents": needs("archive.view", "archive.view"),
  "archive.download": needs("archive.view", "archive.view"),
  "exports.create": needs("archive.export", "archive.export"),
  "exports.get": needs("archive.export", "archive.export"),
  "exports.download": needs("archive.export", "archive.export"),

  "batch.createInvoices": needs("invoices:write", "invoices.create"),
  "batch.sendInvoices": needs("invoices:send", "invoices.send"),
  "batch.updateInvoices": needs("invoices:write", "invoices.update"),
  // This row applies only if the query names no known resource. Such a request is refused later; see `accessByQuery`.
  "batch.remove": needs(null, "organizations.view"),

  // `Operations` shows a caller only operations that were started at endpoints which the caller may use.
  "operations.list": needs(null, "organizations.view"),
  "operations.get": needs(null, "organizations.view"),

  "registrations.register": needs("einvoicing:register", "einvoicing.register"),
  "registrations.get": needs("einvoicing:read", "einvoicing.view"),
  "registrations.update": needs("einvoicing:register", "einvoicing.register"),
  "einvoices.list": needs("einvoicing:read", "einvoicing.view"),
  "einvoices.submit": needs("einvoicing:submit", "einvoicing.submit"),
  "einvoices.get": needs("einvoicing:read", "einvoicing.view"),
  "einvoices.status": needs("einvoicing:read", "einvoicing.view"),
  "einvoices.evidence": needs("einvoicing:read", "einvoicing.view"),
  "einvoices.sign": needs("einvoicing:submit", "einvoicing.submit"),
  "einvoices.validate": needs("einvoicing:submit", "einvoicing.submit"),
  "receivedDocuments.list": needs("einvoicing:read", "einvoicing.view"),
  "receivedDocuments.get": needs("einvoicing:read", "einvoicing.view"),
  "receivedDocuments.document": needs("einvoicing:read", "einvoicing.view"),
  "receivedDocuments.createExpense": needs(["einvoicing:read", "expenses:write"], "expenses.create"),
  "receivedDocuments.accept": needs("einvoicing:submit", "einvoicing.submit"),
  "receivedDocuments.refuse": needs("einvoicing:submit", "einvoicing.submit"),
  "einvoicingDirectory.requirements": needs("einvoicing:read", "einvoicing.view"),
  "einvoicingDirectory.networks": needs("einvoicing:read", "einvoicing.view"),
  "einvoicingDirectory.providers": needs("einvoicing:read", "einvoicing.view"),
  "einvoicingDirectory.search": needs("einvoicing:read", "einvoicing.view"),
  "customerNetwork.validate": needs(["customers:read", "einvoicing:read"], "einvoicing.view"),

  "creditNotes.list": needs("credit_notes:read", "credit_notes.view"),
  "creditNotes.create": needs("credit_notes:write", "credit_notes.create"),
  "creditNotes.get": needs("credit_notes:read", "credit_notes.view"),
  "creditNotes.update": needs("credit_notes:write", "credit_notes.create"),
  "creditNotes.remove": needs("credit_notes:write", "credit_notes.delete"),
  "creditNotes.send": needs("credit_notes:send", "credit_notes.send"),
  "creditNotes.deliveries": needs("credit_notes:read", "credit_notes.view"),
  "creditNotes.pdf": needs("credit_notes:read", "credit_notes.view"),
  "einvoiceFiles.creditNoteUbl": needs("credit_notes:read", "credit_notes.view"),
  "einvoiceFiles.creditNoteCii": needs("credit_notes:read", "credit_notes.view"),
  "einvoiceFiles.creditNoteFacturx": needs("credit_notes:read", "credit_notes.view"),

  "reports.agedReceivables": needs("reports:read", "reports.view"),
  "reports.dashboard": needs("reports:read", "reports.view"),
  "reports.export": needs("reports:export", "reports.export"),
  "reports.profitLoss": needs("reports:read", "reports.view"),
  "reports.revenue": needs("reports:read", "reports.view"),
  "reports.topCustomers": needs("reports:read", "reports.view"),
  "reports.vat": needs("reports:read", "reports.view"),

  "webhooks.list": needs("webhooks:read", "webhooks.view"),
  "webhooks.create": needs("webhooks:write", "webhooks.manage"),
  "webhooks.events": needs("webhooks:read", "webhooks.view"),
  "webhooks.get": needs("webhooks:read", "webhooks.view"),
  "webhooks.update": needs("webhooks:write", "webhooks.manage"),
  "webhooks.remove": needs("webhooks:write", "webhooks.manage"),
  "webhooks.logs": needs("webhooks:read", "webhooks.view"),
  "webhooks.test": needs("webhooks:write", "webhooks.manage"),
  "webhooks.rotateSecret": needs("webhooks:write", "webhooks.manage"),
  "events.list": needs("webhooks:read", "webhooks.view")
} satisfies Readonly<Record<string, Access>>

/** `accessRows`, for a lookup by a name that is only known at run time. */
export const accessTable: Readonly<Record<string, Access>> = accessRows

/**
 * Endpoints whose query names the kind of record to act on, in the parameter `field`. For each kind, `rows` names the
 * endpoint whose requirements a request must meet.
 */
export const accessByQuery: Readonly<
  Record<string, { readonly field: string; readonly rows: ReadonlyMap<string, string> }>
> = {
  "batch.remove": {
    field: "resource",
    rows: new Map(
      ["invoices", "quotes", "customers", "contacts", "payments", "expenses", "webhooks"].map((resource) => [
        resource,
        `${resource}.remove`
      ])
    )
  }
}

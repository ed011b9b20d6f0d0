import { Schema, Struct } from "effect"
import { storedWord } from "../kernel/StoredWord.ts"

const scopes_max = 100

export const scopeDescriptions = {
  "organizations:read": "Read organizations, their settings, tax rates, members and statistics.",
  "organizations:write": "Change the data and the settings of organizations.",
  "organizations:users": "Invite members, change their roles and remove them.",
  "customers:read": "Read customers, their statements and statistics.",
  "customers:write": "Create, change and delete customers.",
  "contacts:read": "Read the contacts of customers.",
  "contacts:write": "Create, change and delete contacts.",
  "invoices:read": "Read invoices, their files and their payment summaries.",
  "invoices:write": "Create, change, delete and duplicate invoices, mark them as sent or paid, and manage attachments.",
  "invoices:send": "Issue invoices and send them to customers.",
  "quotes:read": "Read quotes and their files.",
  "quotes:write": "Create, change, delete, send and duplicate quotes, and mark them as accepted or rejected.",
  "quotes:convert": "Turn quotes into invoices.",
  "credit_notes:read": "Read credit notes and their files.",
  "credit_notes:write": "Create, change and delete credit notes.",
  "credit_notes:send": "Issue credit notes and send them to customers.",
  "payments:read": "Read payments and refunds.",
  "payments:write": "Record, change and delete payments.",
  "payments:refund": "Record refunds of payments.",
  "expenses:read": "Read expenses and the readings of receipts.",
  "expenses:write": "Create, change and delete expenses, upload receipts, and bill expenses to customers.",
  "bank_accounts.view": "Read bank accounts, their imports and the reconciliation report.",
  "bank_transactions.view": "Read bank transactions and the suggestions for them.",
  "bank_transactions.import": "Import bank statements and remove imports.",
  "bank_transactions.update": "Match bank transactions with documents, and undo matches.",
  "bank_rules.view": "Read bank rules.",
  "bank_rules.create": "Create bank rules.",
  "bank_rules.update": "Change bank rules.",
  "bank_rules.delete": "Delete bank rules.",
  "einvoicing:read": "Read e-invoices, registrations and the directory of the networks.",
  "einvoicing:submit": "Validate and submit e-invoices, and answer received ones.",
  "einvoicing:register": "Register an organization with an e-invoicing network, and change its roles there.",
  "archive.view": "Read the fiscal archive and download its objects.",
  "archive.export": "Order exports of the fiscal archive.",
  "reports:read": "Read reports and the dashboard.",
  "reports:export": "Export records as CSV or JSON.",
  "webhooks:read": "Read webhooks, their deliveries and the events, which contain every change of all records.",
  "webhooks:write":
    "Create, change, test and delete webhooks, which receive every change of all records, and rotate their secrets."
} as const

export const scopesKnown = Struct.keys(scopeDescriptions)

/** The scope that includes all others. Only first-party clients and personal access tokens may have it. */
export const everyScope = "*"

export const readScopes = scopesKnown.filter((scope) => scope.endsWith(":read") || scope.endsWith(".view"))

export const Scope = Schema.Literals([...scopesKnown, everyScope])
export type Scope = typeof Scope.Type

/** Scopes of a client that is registered without any (rules/authentication.md, Scopes). */
export const mobileScopes = [
  "organizations:read",
  "invoices:read",
  "invoices:write",
  "invoices:send",
  "quotes:read",
  "quotes:write",
  "quotes:convert",
  "customers:read",
  "customers:write",
  "contacts:read",
  "contacts:write",
  "expenses:read",
  "expenses:write"
] as const satisfies ReadonlyArray<Scope>

export const Scopes = Schema.Array(Scope).check(Schema.isMinLength(1), Schema.isMaxLength(scopes_max))

export const StoredScopes = Schema.Array(storedWord(Scope.literals))

/** The order and repetition of scopes have no meaning (RFC 6749, 3.3). */
export const parseScopes = (text: string): ReadonlyArray<string> => [
  ...new Set(text.split(" ").flatMap((word) => (word === "" ? [] : dotted(word))))
]

/** Replaces an alias: `bank_accounts:read` means `bank_accounts.view` (rules/authentication.md, Scopes). */
const dotted = (word: string): string => {
  const [, thing, deed] = /^(bank_[a-z]+|archive):([a-z]+)$/.exec(word) ?? []
  return thing === undefined || deed === undefined ? word : `${thing}.${deed === "read" ? "view" : deed}`
}

export const covers = (granted: ReadonlyArray<string>, wanted: ReadonlyArray<string>): boolean =>
  granted.includes(everyScope) || wanted.every((scope) => granted.includes(scope))

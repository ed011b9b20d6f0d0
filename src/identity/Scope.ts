import { Schema } from "effect"

const scopes_max = 100

/** Scopes that a token can have; contract section 16. */
export const scopesKnown = [
  "organizations:read",
  "organizations:write",
  "organizations:users",
  "customers:read",
  "customers:write",
  "contacts:read",
  "contacts:write",
  "invoices:read",
  "invoices:write",
  "invoices:send",
  "quotes:read",
  "quotes:write",
  "quotes:convert",
  "credit_notes:read",
  "credit_notes:write",
  "credit_notes:send",
  "payments:read",
  "payments:write",
  "payments:refund",
  "expenses:read",
  "expenses:write",
  "bank_accounts.view",
  "bank_transactions.view",
  "bank_transactions.import",
  "bank_transactions.update",
  "bank_rules.view",
  "bank_rules.create",
  "bank_rules.update",
  "bank_rules.delete",
  "einvoicing:read",
  "einvoicing:submit",
  "einvoicing:register",
  "archive.view",
  "archive.export",
  "reports:read",
  "reports:export",
  "webhooks:read",
  "webhooks:write"
] as const

/** Stands for every scope; only first-party clients and personal access tokens may have it. */
export const everyScope = "*"

/** Scopes that change nothing. */
export const readScopes = scopesKnown.filter((scope) => scope.endsWith(":read") || scope.endsWith(".view"))

export const Scope = Schema.Literals([...scopesKnown, everyScope])
export type Scope = typeof Scope.Type

/** Spec section Authentication, 7: scopes of a mobile client that asks for none. */
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

/** RFC 6749, 3.3: scopes are separated by spaces; order and repetition have no meaning. */
export const parseScopes = (text: string): ReadonlyArray<string> => [
  ...new Set(text.split(" ").flatMap((word) => (word === "" ? [] : dotted(word))))
]

/** Contract section 16: `bank_accounts:read` is an alias of `bank_accounts.view`. */
const dotted = (word: string): string => {
  const [, thing, deed] = /^(bank_[a-z]+|archive):([a-z]+)$/.exec(word) ?? []
  return thing === undefined || deed === undefined ? word : `${thing}.${deed === "read" ? "view" : deed}`
}

/** True if `granted` covers each of `wanted`. */
export const covers = (granted: ReadonlyArray<string>, wanted: ReadonlyArray<string>): boolean =>
  granted.includes(everyScope) || wanted.every((scope) => granted.includes(scope))

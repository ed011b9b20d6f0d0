import type { Role } from "../../kernel/Role.ts"

const viewers: ReadonlyArray<Role> = ["owner", "admin", "accountant", "member", "viewer"]
/** A user with the role `member` may delete only drafts that this user created; the services check this. */
const writers: ReadonlyArray<Role> = ["owner", "admin", "accountant", "member"]
const accountants: ReadonlyArray<Role> = ["owner", "admin", "accountant"]
/** Roles that may see the reports; members, who only write documents, may not. */
const overseers: ReadonlyArray<Role> = ["owner", "admin", "accountant", "viewer"]
const lockers: ReadonlyArray<Role> = ["owner", "accountant"]
const admins: ReadonlyArray<Role> = ["owner", "admin"]

const holders = {
  "organizations.view": viewers,
  "organizations.update": admins,
  /**
   * Permits a PUT of an organization. Each changed field then requires `organizations.update`, and a changed lock date
   * requires `organizations.lock`.
   */
  "organizations.change": accountants,
  "organizations.lock": lockers,
  "users.view": viewers,
  "users.manage": admins,
  "customers.view": viewers,
  "customers.create": writers,
  "customers.update": writers,
  "customers.delete": accountants,
  "contacts.view": viewers,
  "contacts.create": writers,
  "contacts.update": writers,
  "contacts.delete": accountants,
  "invoices.view": viewers,
  "invoices.create": writers,
  "invoices.update": writers,
  "invoices.send": writers,
  "invoices.delete": writers,
  "quotes.view": viewers,
  "quotes.create": writers,
  "quotes.update": writers,
  "quotes.delete": writers,
  "quotes.convert": writers,
  "quotes.send": writers,
  "payments.view": viewers,
  "payments.create": accountants,
  "payments.update": accountants,
  "payments.delete": accountants,
  "payments.refund": accountants,
  "expenses.view": viewers,
  "expenses.create": writers,
  "expenses.update": writers,
  "expenses.delete": writers,
  "credit_notes.view": viewers,
  "credit_notes.create": accountants,
  "credit_notes.send": accountants,
  "credit_notes.delete": accountants,
  "bank_accounts.view": accountants,
  "bank_transactions.view": accountants,
  "bank_transactions.import": accountants,
  "bank_transactions.update": accountants,
  "bank_rules.view": accountants,
  "bank_rules.create": accountants,
  "bank_rules.update": accountants,
  "bank_rules.delete": accountants,
  "archive.view": accountants,
  "archive.export": accountants,
  "einvoicing.view": viewers,
  "einvoicing.submit": accountants,
  "einvoicing.register": admins,
  "reports.view": overseers,
  "reports.export": accountants,
  "webhooks.view": admins,
  "webhooks.manage": admins
} satisfies Record<string, ReadonlyArray<Role>>

export type Permission = keyof typeof holders

export const holds = (role: Role, permission: Permission): boolean => holders[permission].includes(role)

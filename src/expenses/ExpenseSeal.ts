import { Schema, Struct } from "effect"
import { sealer } from "../billing/sealing/Sealer.ts"
import type { OrganizationId } from "../kernel/Ids.ts"
import { ExpenseFacts } from "./Expense.ts"

/**
 * Fields that the seal leaves out: those that earlier versions changed without an audit entry of the expense, and the
 * client's own data.
 */
const unsealed = [
  "billed_invoice_id",
  "billed_item_id",
  "linked_invoice_id",
  "external_id",
  "metadata",
  "updated_at",
  "version"
] as const

const fields = { ...Struct.omit(ExpenseFacts.fields, unsealed), deleted: Schema.Boolean }

/** The seal covers tax rows as stored, so that a field that a later version adds to them does not change the seal. */
export const StoredExpense = Schema.Struct({ ...fields, tax_rates: Schema.Json })

const SealedExpense = Schema.Struct(fields)
const seal = sealer("expense", SealedExpense)
const sealStored = sealer("expense", StoredExpense)

export const expenseSeal = (organization_id: OrganizationId, facts: typeof SealedExpense.Type) =>
  seal(organization_id, facts)

export const storedExpenseSeal = (organization_id: OrganizationId, facts: typeof StoredExpense.Type) =>
  sealStored(organization_id, facts)

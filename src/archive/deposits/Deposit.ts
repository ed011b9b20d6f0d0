import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { Amount } from "../../kernel/Money.ts"
import { DocumentType } from "../objects/ArchiveObject.ts"

/** Which document of which organization. */
export const DepositKey = Schema.Struct({
  organization_id: OrganizationId,
  document_type: DocumentType,
  document_id: Schema.Int
})
export type DepositKey = typeof DepositKey.Type

/** The same within the current organization. */
export type DocumentKey = Omit<DepositKey, "organization_id">

/** An issued document on its way into the archive. */
export const Deposit = Schema.Struct({
  ...DepositKey.fields,
  number: Schema.String,
  counterparty_name: Schema.String,
  issue_date: Day,
  amount: Amount,
  currency: CurrencyCode,
  /** What is printed, in the words of whoever makes the file of it. */
  print: Schema.Unknown
})
export type Deposit = typeof Deposit.Type

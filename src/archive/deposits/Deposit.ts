import { type Effect, type Option, Schema, type Scope } from "effect"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { Amount } from "../../kernel/Money.ts"
import type { LocalFile } from "../../platform/storage/BlobStore.ts"
import { DocumentType } from "../objects/ArchiveObject.ts"

export const DepositKey = Schema.Struct({
  organization_id: OrganizationId,
  document_type: DocumentType,
  document_id: Schema.Int
})
export type DepositKey = typeof DepositKey.Type

export type ArchivedDocument = Omit<DepositKey, "organization_id">

export interface AttachedFile<E> {
  readonly sha256: string
  readonly content_type: string
  /** Reads the file; none if the file was removed before it could be archived. */
  readonly file: Effect.Effect<Option.Option<LocalFile>, E, Scope.Scope>
}

/** An issued document whose objects are not stored yet. */
export const Deposit = Schema.Struct({
  ...DepositKey.fields,
  number: Schema.String,
  counterparty_name: Schema.String,
  issue_date: Day,
  amount: Amount,
  currency: CurrencyCode,
  /** A document that became a draft and was issued again has a new deposit. This time distinguishes the two. */
  ordered_at: Timestamp,
  /** The input of the PDF template. Only the code that issued the document knows its structure. */
  print: Schema.Unknown
})
export type Deposit = typeof Deposit.Type

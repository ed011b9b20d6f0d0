import { Schema, SchemaAST, SchemaGetter } from "effect"
import { shownAs } from "./Described.ts"

const idOf = (record: string) =>
  Schema.Int.check(
    Schema.isBetween(
      { minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      { description: `Id of ${record}.`, examples: [42] }
    )
  )

/** Number of ids in a range. Ids are JSON numbers, which are exact below 2^53, so there are 9,007 ranges. */
export const range_ids = 1_000_000_000_000

export const UserId = idOf("a user").pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

export const OrganizationId = idOf("an organization").pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type

export const TokenId = idOf("a token").pipe(Schema.brand("TokenId"))
export type TokenId = typeof TokenId.Type

export const CustomerId = idOf("a customer").pipe(Schema.brand("CustomerId"))
export type CustomerId = typeof CustomerId.Type

export const ContactId = idOf("a contact").pipe(Schema.brand("ContactId"))
export type ContactId = typeof ContactId.Type

export const TaxRateId = idOf("a tax rate").pipe(Schema.brand("TaxRateId"))
export type TaxRateId = typeof TaxRateId.Type

export const InvoiceId = idOf("an invoice").pipe(Schema.brand("InvoiceId"))
export type InvoiceId = typeof InvoiceId.Type

export const PaymentId = idOf("a payment").pipe(Schema.brand("PaymentId"))
export type PaymentId = typeof PaymentId.Type

export const RefundId = idOf("a refund").pipe(Schema.brand("RefundId"))
export type RefundId = typeof RefundId.Type

export const QuoteId = idOf("a quote").pipe(Schema.brand("QuoteId"))
export type QuoteId = typeof QuoteId.Type

export const CreditNoteId = idOf("a credit note").pipe(Schema.brand("CreditNoteId"))
export type CreditNoteId = typeof CreditNoteId.Type

export const AttachmentId = idOf("an attachment").pipe(Schema.brand("AttachmentId"))
export type AttachmentId = typeof AttachmentId.Type

export const ExpenseId = idOf("an expense").pipe(Schema.brand("ExpenseId"))
export type ExpenseId = typeof ExpenseId.Type

export const BankTransactionId = idOf("a bank transaction").pipe(Schema.brand("BankTransactionId"))
export type BankTransactionId = typeof BankTransactionId.Type

export const BankAccountId = idOf("a bank account").pipe(Schema.brand("BankAccountId"))
export type BankAccountId = typeof BankAccountId.Type

export const BankImportId = idOf("a bank import").pipe(Schema.brand("BankImportId"))
export type BankImportId = typeof BankImportId.Type

export const BankMatchId = idOf("a bank match").pipe(Schema.brand("BankMatchId"))
export type BankMatchId = typeof BankMatchId.Type

export const BankRuleId = idOf("a bank rule").pipe(Schema.brand("BankRuleId"))
export type BankRuleId = typeof BankRuleId.Type

/** The other party of a payment. A counterparty that is a customer has the customer's id. */
export const CounterpartyId = idOf("a counterparty").pipe(Schema.brand("CounterpartyId"))
export type CounterpartyId = typeof CounterpartyId.Type
export const EinvoiceId = idOf("an e-invoice").pipe(Schema.brand("EinvoiceId"))
export type EinvoiceId = typeof EinvoiceId.Type

export const ReceivedId = idOf("a received e-invoice").pipe(Schema.brand("ReceivedId"))
export type ReceivedId = typeof ReceivedId.Type

export const WebhookId = idOf("a webhook").pipe(Schema.brand("WebhookId"))
export type WebhookId = typeof WebhookId.Type

export const ExportId = idOf("an export").pipe(Schema.brand("ExportId"))
export type ExportId = typeof ExportId.Type

export const RegistrationId = idOf("a registration").pipe(Schema.brand("RegistrationId"))
export type RegistrationId = typeof RegistrationId.Type

export const OperationId = idOf("an operation").pipe(Schema.brand("OperationId"))
export type OperationId = typeof OperationId.Type

export const ClientId = Schema.String.check(Schema.isUUID(undefined, { description: "Id of an OAuth client." })).pipe(
  Schema.brand("ClientId")
)
export type ClientId = typeof ClientId.Type

export const ReceiptRef = Schema.String.check(
  Schema.isUUID(undefined, { description: "Reference of an uploaded receipt." })
).pipe(Schema.brand("ReceiptRef"))
export type ReceiptRef = typeof ReceiptRef.Type

export const ArchiveObjectId = Schema.String.check(
  Schema.isUUID(undefined, { description: "Id of an archived object." })
).pipe(Schema.brand("ArchiveObjectId"))
export type ArchiveObjectId = typeof ArchiveObjectId.Type

/** An id in a path or query. Only plain decimal digits are accepted, so `1e0`, `+1` and `01` find no record. */
export const inText = <S extends Schema.Codec<number, number>>(schema: S) =>
  Schema.String.check(
    Schema.isPattern(/^[1-9]\d{0,15}$/, {
      message: "must be a whole number above 0.",
      description: SchemaAST.resolveDescription(schema.ast),
      ...shownAs({ type: "integer", minimum: 1 })
    })
  ).pipe(Schema.decodeTo(schema, { decode: SchemaGetter.transform(Number), encode: SchemaGetter.transform(String) }))

/** An id in a query that accepts any text: a text that is no id names no record. */
export const IdText = Schema.String.annotate(shownAs({ type: "integer", minimum: 1 }))

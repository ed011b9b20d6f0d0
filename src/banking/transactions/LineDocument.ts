import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { BankTransactionId, CounterpartyId } from "../../kernel/Ids.ts"
import { Amount, PositiveAmount } from "../../kernel/Money.ts"
import { Line, nullable, Text } from "../../kernel/Text.ts"
import { ResolvedParty } from "../counterparties/Counterparty.ts"
import { actionTexts } from "../rules/BankRule.ts"

/** Spec, Banking: fields that are absent or blank follow from the line. `category` applies to debits only. */
export const CreateDocumentBody = Schema.Struct({
  /** The part of the line that the document is for; default: the line's remaining amount. */
  amount: nullable(PositiveAmount),
  counterparty_id: nullable(CounterpartyId),
  counterparty_name: nullable(Line),
  description: nullable(Text(actionTexts.description_characters_max)),
  date: nullable(Day),
  category: nullable(Text(actionTexts.category_characters_max))
}).annotate({ identifier: "BankDocumentDraft" })
export type CreateDocumentBody = typeof CreateDocumentBody.Type

const DocumentType = Schema.Literals(["expense", "invoice"])

/** The document that `create-document` would create from a line with an empty body. */
export const DocumentPrefill = Schema.Struct({
  transaction_id: BankTransactionId,
  document_type: DocumentType,
  /** Unsigned: the remaining amount of the line, or the whole amount of a line that is matched already. */
  amount: Amount,
  currency: CurrencyCode,
  date: Day,
  description: Schema.String,
  counterparty: ResolvedParty,
  counterparty_name: Schema.NullOr(Schema.String),
  /** Null for an invoice. */
  category: Schema.NullOr(Schema.String)
}).annotate({ identifier: "DocumentPrefill" })
export type DocumentPrefill = typeof DocumentPrefill.Type

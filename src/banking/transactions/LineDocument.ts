import { Schema } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { BankTransactionId, CounterpartyId } from "../../kernel/Ids.ts"
import { Amount } from "../../kernel/Money.ts"
import { Line, nullable, Text } from "../../kernel/Text.ts"
import { ResolvedParty } from "../counterparties/Counterparty.ts"
import { actionTexts } from "../rules/BankRule.ts"

/** Whatever is not said, or blank, follows from the line; spec, Banking. `category` is for a debit only. */
export const CreateDocumentBody = Schema.Struct({
  counterparty_id: nullable(CounterpartyId),
  counterparty_name: nullable(Line),
  description: nullable(Text(actionTexts.description_characters_max)),
  date: nullable(Day),
  category: nullable(Text(actionTexts.category_characters_max))
})
export type CreateDocumentBody = typeof CreateDocumentBody.Type

const DocumentType = Schema.Literals(["expense", "invoice"])

/** What `create-document` would make of a line of which nothing else is said. */
export const DocumentPrefill = Schema.Struct({
  transaction_id: BankTransactionId,
  document_type: DocumentType,
  /** Without its sign: what is left of the line, or all of a line that is matched. */
  amount: Amount,
  currency: CurrencyCode,
  date: Day,
  description: Schema.String,
  counterparty: ResolvedParty,
  counterparty_name: Schema.NullOr(Schema.String),
  /** Null for an invoice. */
  category: Schema.NullOr(Schema.String)
})
export type DocumentPrefill = typeof DocumentPrefill.Type

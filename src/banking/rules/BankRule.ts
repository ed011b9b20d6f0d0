import { Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { Flag } from "../../kernel/Flag.ts"
import { BankAccountId, BankRuleId, BankTransactionId, CounterpartyId, TaxRateId } from "../../kernel/Ids.ts"
import { PaymentMethodInput } from "../../billing/payments/Payment.ts"
import { Decimal } from "../../kernel/Money.ts"
import { Name, nullable, Text } from "../../kernel/Text.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { Condition, ConditionInput } from "./Condition.ts"

const conditions_max = 20
/** The category and the description have the limits of an expense's category and of an invoice line. */
export const actionTexts = { category_characters_max: 64, description_characters_max: 2_000 } as const
const tax_rates_max = 10
const priority_max = 1_000_000

const Direction = Schema.Literals(["debit", "credit", "any"])
export const DocumentType = Schema.Literals(["expense", "invoice"]).annotate({ identifier: "RuleDocumentType" })

const Percentage = Decimal.check(
  Schema.makeFilter((percent) => isPercentage(percent), { message: "must be between 0 and 100." })
)

/** The document that a rule creates from a line; fields that the rule leaves out follow from the line. */
const Actions = Schema.Struct({
  document_type: nullable(DocumentType),
  category: nullable(Text(actionTexts.category_characters_max)),
  counterparty_id: nullable(CounterpartyId),
  counterparty_name: nullable(Name),
  description: nullable(Text(actionTexts.description_characters_max)),
  is_vat_deductible: nullable(Schema.Boolean),
  vat_deductible_percentage: nullable(Percentage),
  tax_rate_ids: nullable(
    Schema.Array(TaxRateId).check(
      Schema.isMaxLength(tax_rates_max, { message: `may not have more than ${tax_rates_max} entries.` }),
      Schema.isUnique({ message: "may not name a rate twice." })
    )
  ),
  payment_method: nullable(PaymentMethodInput)
})
export type Actions = typeof Actions.Type

const says = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

const ActionsInput = Actions.check(
  Schema.makeFilter((actions) =>
    [actions.category, actions.counterparty_id, actions.counterparty_name, actions.description].some(says)
      ? undefined
      : "must hold at least one of category, counterparty_id, counterparty_name and description."
  )
)

/** Spec, Bank records: every endpoint answers a rule in this form. */
export const BankRule = Schema.Struct({
  id: BankRuleId,
  name: Schema.String,
  is_active: Schema.Boolean,
  bank_account_id: Schema.NullOr(BankAccountId),
  direction: Direction,
  conditions: Schema.Array(Condition),
  actions: Actions,
  auto_add: Schema.Boolean,
  priority: Schema.Int,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
}).annotate({ identifier: "BankRule" })
export type BankRule = typeof BankRule.Type

export const bankRuleEvent = recordEvent("bank_rule", BankRule)

/** PUT takes the same fields: name, conditions and actions are required; other absent fields keep their value. */
export const BankRuleDraft = Schema.Struct({
  name: Name,
  is_active: nullable(Schema.Boolean),
  bank_account_id: nullable(BankAccountId),
  direction: nullable(Direction),
  conditions: Schema.Array(ConditionInput).check(
    Schema.isMinLength(1, { message: "must have at least 1 entry." }),
    Schema.isMaxLength(conditions_max, { message: `may not have more than ${conditions_max} entries.` })
  ),
  actions: ActionsInput,
  auto_add: nullable(Schema.Boolean),
  priority: nullable(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: priority_max })))
})
  .check(
    Schema.makeFilter(({ actions, direction }) =>
      fitsDirection(actions, direction ?? "any")
        ? undefined
        : { path: ["actions", "document_type"], issue: "must be expense for a debit and invoice for a credit." }
    )
  )
  .annotate({ identifier: "BankRuleDraft" })
export type BankRuleDraft = typeof BankRuleDraft.Type

/** The answer to `dry_run`: the lines to which the rule would apply if it were stored. */
export const RuleHits = Schema.Struct({
  /** Open lines, the youngest first, without the lines that an earlier rule takes. */
  transaction_ids: Schema.Array(BankTransactionId)
}).annotate({ identifier: "BankRuleWithHits" })
export type RuleHits = typeof RuleHits.Type

export const ruleQuery = { dry_run: Schema.optionalKey(Flag) }

/** Spec, Banking: a rule creates an expense from a debit and an invoice from a credit. */
export const fitsDirection = ({ document_type }: Actions, direction: BankRule["direction"]): boolean =>
  !says(document_type) || direction === "any" || (document_type === "expense") === (direction === "debit")

function isPercentage(percent: typeof Decimal.Type): boolean {
  return percent.value >= 0n && percent.value <= 100n * 10n ** BigInt(Math.max(percent.scale, 0))
}

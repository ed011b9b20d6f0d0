import { Schema } from "effect"
import { Flag } from "../../kernel/Flag.ts"
import { BankAccountId, BankRuleId, BankTransactionId, CounterpartyId, TaxRateId } from "../../kernel/Ids.ts"
import { ExemptionCategory } from "../../billing/lines/LineItem.ts"
import { PaymentMethodInput } from "../../billing/payments/PaymentMethod.ts"
import { Decimal, Percentage } from "../../kernel/Money.ts"
import { Name, nullable, Text } from "../../kernel/Text.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { Condition, ConditionInput } from "./Condition.ts"
import { described } from "../../kernel/Described.ts"
import { recordFields } from "../../kernel/RecordFields.ts"

const conditions_max = 20
/** Maximum lengths of the texts that a rule may fill: an expense's category, or an invoice line's description. */
export const actionTexts = { category_characters_max: 64, description_characters_max: 2_000 } as const
const tax_rates_max = 10
const priority_max = 1_000_000

const Direction = Schema.Literals(["debit", "credit", "any"])
export const DocumentType = Schema.Literals(["expense", "invoice"]).annotate({
  identifier: "RuleDocumentType",
  description: "Kind of document that a rule creates: an expense from a debit, an invoice from a credit."
})

const share_description = "Deductible part of the tax, in percent, 0 to 100; null uses the default of expenses."

/** The document that a rule creates from a line. A field that the rule omits is filled from the line. */
const Actions = Schema.Struct({
  document_type: described(
    nullable(DocumentType),
    "Kind of document; if it is null, the transaction decides: an expense for a debit, an invoice for a credit."
  ),
  category: described(
    nullable(Text(actionTexts.category_characters_max)),
    "Category of the expense; if it is null, it is derived from the transaction."
  ),
  counterparty_id: described(
    nullable(CounterpartyId),
    "Vendor or customer of the document; if it is null, it is derived from the transaction."
  ),
  counterparty_name: described(
    nullable(Name),
    "Name of the vendor or customer; null uses the name in the transaction."
  ),
  description: described(
    nullable(Text(actionTexts.description_characters_max)),
    "Description of the document; null uses the text of the payment."
  ),
  is_vat_deductible: described(
    nullable(Schema.Boolean),
    "True if the tax of the expense can be deducted; null uses the default of expenses."
  ),
  vat_deductible_percentage: described(nullable(Decimal), share_description),
  tax_rate_ids: described(
    nullable(
      Schema.Array(TaxRateId).check(
        Schema.isMaxLength(tax_rates_max, { message: `may not have more than ${tax_rates_max} entries.` }),
        Schema.isUnique({ message: "may not name a rate twice." })
      )
    ),
    "Tax rates of the document, at most 10. Null or empty means the default rates of the organization for an invoice, " +
      "and none for an expense."
  ),
  tax_exempt: described(
    nullable(Schema.Boolean),
    "True if an invoice that the rule creates has no tax; `tax_rate_ids` must then be empty. Null means false."
  ),
  tax_exemption_reason: described(
    nullable(ExemptionCategory),
    "Why an invoice that the rule creates has no tax; only with `tax_exempt`."
  ),
  payment_method: described(nullable(PaymentMethodInput), "How the document was paid; null means by bank transfer.")
})
export type Actions = typeof Actions.Type

const says = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

const ActionsInput = Schema.Struct({
  ...Actions.fields,
  vat_deductible_percentage: described(nullable(Percentage), share_description)
}).check(
  Schema.makeFilter((actions) =>
    [actions.category, actions.counterparty_id, actions.counterparty_name, actions.description].some(says)
      ? undefined
      : "must hold at least one of category, counterparty_id, counterparty_name and description."
  ),
  Schema.makeFilter(({ tax_exempt, tax_rate_ids }) =>
    tax_exempt === true && (tax_rate_ids ?? []).length > 0
      ? { path: ["tax_rate_ids"], issue: "must be empty when tax_exempt is true." }
      : undefined
  ),
  Schema.makeFilter(({ tax_exempt, tax_exemption_reason }) =>
    tax_exempt !== true && says(tax_exemption_reason)
      ? { path: ["tax_exemption_reason"], issue: "may only be given when tax_exempt is true." }
      : undefined
  )
)

export const BankRule = Schema.Struct({
  id: BankRuleId,
  name: described(Schema.String, "Name of the rule."),
  is_active: described(Schema.Boolean, "False if the rule is not applied."),
  bank_account_id: described(Schema.NullOr(BankAccountId), "Only transactions of this account; null for all accounts."),
  direction: described(Direction, "Only debits, only credits, or `any`."),
  conditions: described(Schema.Array(Condition), "Conditions, all of which a transaction must meet."),
  actions: described(Actions, "The document that the rule creates; absent fields are derived from the transaction."),
  auto_add: described(
    Schema.Boolean,
    "If true, the rule creates the document at import when no existing document matches; if false, it only suggests it."
  ),
  priority: described(
    Schema.Int,
    "Rules are tried from the lowest priority to the highest, then by id; the first one that matches is applied."
  ),
  ...recordFields
}).annotate({
  identifier: "BankRule",
  description: "A rule that books bank transactions for which no document exists."
})
export type BankRule = typeof BankRule.Type

export const bankRuleEvent = recordEvent("bank_rule", BankRule)

/** The body of POST and PUT. In PUT, fields other than name, conditions and actions keep their value if absent. */
export const BankRuleDraft = Schema.Struct({
  name: described(Name, "Name of the rule."),
  is_active: described(nullable(Schema.Boolean), "If false, the rule is created switched off. Default: true."),
  bank_account_id: described(nullable(BankAccountId), "Only transactions of this account; null for all accounts."),
  direction: described(nullable(Direction), "Only debits, only credits, or `any`, which is the default."),
  conditions: described(
    Schema.Array(ConditionInput).check(
      Schema.isMinLength(1, { message: "must have at least 1 entry." }),
      Schema.isMaxLength(conditions_max, { message: `may not have more than ${conditions_max} entries.` })
    ),
    "Conditions, all of which a transaction must meet; 1 to 20."
  ),
  actions: described(
    ActionsInput,
    "The document that the rule creates; it needs category, counterparty or description."
  ),
  auto_add: described(
    nullable(Schema.Boolean),
    "If true, the rule creates the document at import when no existing document matches. Default: false."
  ),
  priority: described(
    nullable(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: priority_max }))),
    `Rules are tried from the lowest priority to the highest, then by id; 0 to ${priority_max}. Default: 100.`
  )
})
  .annotate({ description: "The rule to be stored; PUT keeps what is absent." })
  .check(
    Schema.makeFilter(({ actions, direction }) =>
      fitsDirection(actions, direction ?? "any")
        ? undefined
        : { path: ["actions", "document_type"], issue: "must be expense for a debit and invoice for a credit." }
    )
  )
  .annotate({ identifier: "BankRuleDraft" })
export type BankRuleDraft = typeof BankRuleDraft.Type

export const RuleHits = Schema.Struct({
  transaction_ids: described(
    Schema.Array(BankTransactionId),
    "Open transactions to which the rule would apply, newest first, without those to which an earlier rule applies."
  )
}).annotate({
  identifier: "BankRuleWithHits",
  description: "The answer to `dry_run`: the transactions to which the rule would apply if it were stored."
})
export type RuleHits = typeof RuleHits.Type

export const ruleQuery = {
  dry_run: described(
    Schema.optionalKey(Flag),
    "True only returns what the request would do, and stores nothing. Default: false."
  )
}

/** A rule creates an expense from a debit and an invoice from a credit (rules/banking.md, Rules). */
export const fitsDirection = ({ document_type }: Actions, direction: BankRule["direction"]): boolean =>
  !says(document_type) || direction === "any" || (document_type === "expense") === (direction === "debit")

import { Context, Effect, Equal, Layer, Option, Struct } from "effect"
import { TaxRates } from "../../billing/taxes/TaxRates.ts"
import { now } from "../../kernel/Calendar.ts"
import type { BankRuleId } from "../../kernel/Ids.ts"
import { NotFound, orNotFound, type PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { changesTo, isUnchanged } from "../../kernel/Changes.ts"
import { callerEntry } from "../../platform/events/AuditLog.ts"
import { CurrentOperation } from "../../platform/http/CurrentOperation.ts"
import { requireVersion } from "../../platform/http/Precondition.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { BankAccounts } from "../accounts/BankAccounts.ts"
import { Counterparties } from "../counterparties/Counterparties.ts"
import { OpenLinesRepo } from "../transactions/OpenLinesRepo.ts"
import { type BankRule, type BankRuleDraft, bankRuleEvent, fitsDirection, type RuleHits } from "./BankRule.ts"
import { BankRulesRepo, rules_max } from "./BankRulesRepo.ts"
import { type RuleBudgetExceeded, type RuleCheckUnavailable, requireRuled } from "./RuleErrors.ts"
import { ruleBudgets, RuleMatcher } from "./RuleMatcher.ts"

const priority_default = 100

type Refused = NotFound | ValidationFailed | RuleCheckUnavailable

/** Manages the rules that create documents from the bank lines of the current organization. */
export class BankRules extends Context.Service<
  BankRules,
  {
    /** Returns the rules in the order in which they are tried. */
    readonly all: Effect.Effect<ReadonlyArray<BankRule>, never, CurrentOrganization>
    readonly get: (id: BankRuleId) => Effect.Effect<BankRule, NotFound, CurrentOrganization>
    readonly create: (draft: BankRuleDraft) => Effect.Effect<BankRule, Refused, Caller>
    readonly update: (
      id: BankRuleId,
      draft: BankRuleDraft
    ) => Effect.Effect<BankRule, Refused | PreconditionFailed, Caller>
    /** Returns the lines to which the rule would apply, and stores nothing. */
    readonly tryCreate: (
      draft: BankRuleDraft
    ) => Effect.Effect<RuleHits, Refused | RuleBudgetExceeded, CurrentOrganization>
    readonly tryUpdate: (
      id: BankRuleId,
      draft: BankRuleDraft
    ) => Effect.Effect<RuleHits, Refused | RuleBudgetExceeded, CurrentOrganization>
    readonly remove: (
      id: BankRuleId
    ) => Effect.Effect<{ readonly id: BankRuleId }, NotFound | PreconditionFailed, Caller>
  }
>()("invoicing/banking/rules/BankRules") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* BankRulesRepo
      const openLines = yield* OpenLinesRepo
      const accounts = yield* BankAccounts
      const counterparties = yield* Counterparties
      const taxRates = yield* TaxRates
      const matching = yield* RuleMatcher
      const { transaction } = yield* Database

      const all = Effect.flatMap(CurrentOrganization, ({ id }) => repo.all({ organization_id: id }))

      const get = Effect.fn("BankRules.get")(function* (id: BankRuleId) {
        yield* Effect.annotateCurrentSpan({ "bank_rule.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.find({ organization_id, id }))
      })

      /**
       * Ids of another organization get 404 (rules/banking.md, Rules). A rule may keep a deleted customer and archived
       * tax rates.
       */
      const requireOwn = Effect.fnUntraced(function* ({ actions, bank_account_id }: BankRuleDraft, stored?: BankRule) {
        if (bank_account_id) yield* accounts.get(bank_account_id)
        const { counterparty_id } = actions
        const isNew = counterparty_id !== stored?.actions.counterparty_id
        if (counterparty_id && isNew && Option.isNone(yield* counterparties.find(counterparty_id))) {
          return yield* NotFound.of()
        }
        const { id } = yield* CurrentOrganization
        const unchanged = Equal.equals(actions.tax_rate_ids, stored?.actions.tax_rate_ids)
        const rates = unchanged ? [] : (actions.tax_rate_ids ?? [])
        yield* taxRates.named(id, rates, "actions.tax_rate_ids")
      })

      const drafted = Effect.fnUntraced(function* (draft: BankRuleDraft) {
        const { id: organization_id } = yield* CurrentOrganization
        yield* requireOwn(draft)
        if ((yield* repo.count({ organization_id })).count >= rules_max) {
          return yield* ValidationFailed.of({ name: [`An organization may not have more than ${rules_max} rules.`] })
        }
        const at = yield* now
        const id = yield* repo.nextId
        const rule: BankRule = {
          id,
          name: draft.name,
          is_active: draft.is_active ?? true,
          bank_account_id: draft.bank_account_id ?? null,
          direction: draft.direction ?? "any",
          conditions: draft.conditions,
          actions: draft.actions,
          auto_add: draft.auto_add ?? false,
          priority: draft.priority ?? priority_default,
          created_at: at,
          updated_at: at,
          version: 1
        }
        return rule
      })

      const insert = Effect.fnUntraced(function* (draft: BankRuleDraft) {
        const { id: organization_id } = yield* CurrentOrganization
        const { user_id } = yield* CurrentPrincipal
        const operation = (yield* CurrentOperation) ?? null
        yield* repo.lockCreation(organization_id)
        if (operation !== null) {
          const done = yield* repo.findOperation({ organization_id, operation })
          if (Option.isSome(done)) return done.value
        }
        const rule = yield* drafted(draft)
        const entry = yield* ruleEntry("bank_rule.created", rule)
        yield* repo.insert(organization_id, { ...rule, operation }, user_id, entry)
        return rule
      }, transaction)

      const create = Effect.fn("BankRules.create")(function* (draft: BankRuleDraft) {
        yield* matching.check(draft.conditions)
        return yield* insert(draft)
      })

      const lock = Effect.fnUntraced(function* (id: BankRuleId) {
        const { id: organization_id } = yield* CurrentOrganization
        const rule = yield* orNotFound(repo.lock({ organization_id, id }))
        yield* requireVersion(rule.version)
        return rule
      })

      const changed = Effect.fnUntraced(function* (stored: BankRule, draft: BankRuleDraft) {
        yield* requireOwn(draft, stored)
        const rule: BankRule = {
          ...stored,
          ...draft,
          is_active: draft.is_active ?? stored.is_active,
          direction: draft.direction ?? stored.direction,
          auto_add: draft.auto_add ?? stored.auto_add,
          priority: draft.priority ?? stored.priority,
          updated_at: yield* now,
          version: stored.version + 1
        }
        // If the draft states a direction, its schema has checked it. If not, the stored direction is checked here.
        if (!fitsDirection(rule.actions, rule.direction)) {
          return yield* ValidationFailed.of({
            "actions.document_type": ["The actions.document_type field must fit the direction of the rule."]
          })
        }
        return rule
      })

      const replace = Effect.fnUntraced(function* (id: BankRuleId, draft: BankRuleDraft) {
        const { id: organization_id } = yield* CurrentOrganization
        const stored = yield* lock(id)
        const rule = yield* changed(stored, draft)
        if (isUnchanged(yield* changesTo(stored, Struct.omit(rule, ["updated_at", "version"])))) return stored
        const entry = yield* ruleEntry("bank_rule.updated", rule)
        yield* repo.save(organization_id, rule, entry)
        return rule
      }, transaction)

      const update = Effect.fn("BankRules.update")(function* (id: BankRuleId, draft: BankRuleDraft) {
        // Stored conditions were checked before, so a rule can be deactivated while no process is free to check them.
        const { conditions } = yield* get(id)
        if (!Equal.equals(conditions, draft.conditions)) yield* matching.check(draft.conditions)
        return yield* replace(id, draft)
      })

      /** Returns the open lines to which this rule would apply, because no stored rule of higher priority does. */
      const hits = Effect.fnUntraced(function* (rule: BankRule) {
        const { id: organization_id } = yield* CurrentOrganization
        const { ruled } = yield* matching.start(ruleBudgets.many, rule)
        // A rule applies to whole lines only.
        const lines = yield* openLines.latestWhole(organization_id)
        const { rules } = yield* Effect.tap(ruled(lines), requireRuled)
        return { transaction_ids: lines.flatMap(({ id }, index) => (rules[index]?.id === rule.id ? [id] : [])) }
      })

      const tryCreate = Effect.fn("BankRules.tryCreate")(function* (draft: BankRuleDraft) {
        yield* matching.check(draft.conditions)
        return yield* hits(yield* drafted(draft))
      })

      const tryUpdate = Effect.fn("BankRules.tryUpdate")(function* (id: BankRuleId, draft: BankRuleDraft) {
        yield* matching.check(draft.conditions)
        return yield* hits(yield* changed(yield* get(id), draft))
      })

      const remove = Effect.fn("BankRules.remove")(function* (id: BankRuleId) {
        yield* Effect.annotateCurrentSpan({ "bank_rule.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        const rule = yield* lock(id)
        yield* repo.remove(organization_id, id, yield* ruleEntry("bank_rule.deleted", rule))
        return { id }
      }, transaction)

      return BankRules.of({ all, get, create, update, tryCreate, tryUpdate, remove })
    })
  ).pipe(
    Layer.provide([
      BankRulesRepo.layer,
      OpenLinesRepo.layer,
      BankAccounts.layer,
      Counterparties.layer,
      TaxRates.layer,
      RuleMatcher.layer
    ])
  )
}

const ruleEntry = Effect.fnUntraced(function* (
  action: `bank_rule.${"created" | "updated" | "deleted"}`,
  rule: BankRule
) {
  return yield* callerEntry(action, { bank_rule_id: rule.id, name: rule.name }, [yield* bankRuleEvent(action, rule)])
})

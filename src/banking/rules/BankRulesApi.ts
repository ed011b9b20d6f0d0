import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { created, data, removed } from "../../kernel/Envelope.ts"
import { BankRuleId, inText } from "../../kernel/Ids.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { BankRule, BankRuleDraft, RuleHits, ruleQuery } from "./BankRule.ts"
import { RuleBudgetExceeded, RuleCheckUnavailable } from "./RuleErrors.ts"

const params = { id: inText(BankRuleId) }

/** Implements the spec's "Endpoints: Banking" for rules. */
export class BankRulesApi extends HttpApiGroup.make("bankRules")
  .add(
    // Spec: the list has all rules in priority order; they are few enough for one answer.
    HttpApiEndpoint.get("list", "/", { success: data(Schema.Array(BankRule)) }),
    HttpApiEndpoint.post("create", "/", {
      query: ruleQuery,
      payload: BankRuleDraft,
      success: created(Schema.Union([BankRule, RuleHits])),
      error: [NotFound, ValidationFailed, RuleBudgetExceeded, RuleCheckUnavailable]
    }),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(BankRule), error: NotFound }),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      query: ruleQuery,
      payload: BankRuleDraft,
      success: data(Schema.Union([BankRule, RuleHits])),
      error: [NotFound, PreconditionFailed, ValidationFailed, RuleBudgetExceeded, RuleCheckUnavailable]
    }),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed(BankRuleId),
      error: [NotFound, PreconditionFailed]
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/bank-rules") {}

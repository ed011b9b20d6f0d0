import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { created, data, removed } from "../../kernel/Envelope.ts"
import { BankRuleId, inText } from "../../kernel/Ids.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { operation, tag, UsesOtherSystems } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { BankRule, BankRuleDraft, RuleHits, ruleQuery } from "./BankRule.ts"
import { RuleBudgetExceeded, RuleCheckUnavailable } from "./RuleErrors.ts"

const params = { id: inText(BankRuleId) }

export class BankRulesApi extends HttpApiGroup.make("bankRules")
  .annotateMerge(tag("Bank rules", "Rules that book bank transactions for which no document exists."))
  .add(
    // The list is not divided into pages, because all rules, in priority order, are few enough for one answer.
    HttpApiEndpoint.get("list", "/", { success: data(Schema.Array(BankRule)) }).annotateMerge(
      operation("List bank rules", "Returns all rules in the order in which they are tried.")
    ),
    HttpApiEndpoint.post("create", "/", {
      query: ruleQuery,
      payload: BankRuleDraft,
      success: created(Schema.Union([BankRule, RuleHits])),
      error: [NotFound, ValidationFailed, RuleBudgetExceeded, RuleCheckUnavailable]
    })
      .annotate(UsesOtherSystems, true)
      .annotateMerge(
        operation(
          "Create a bank rule",
          "Creates a rule; all of its conditions must match. `dry_run` creates nothing and answers which open " +
            "transactions it would hit. A counterparty of another organization gives 404.",
          "bank_rule.created"
        )
      ),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(BankRule), error: NotFound }).annotateMerge(
      operation("Get a bank rule", "Returns one rule.")
    ),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      query: ruleQuery,
      payload: BankRuleDraft,
      success: data(Schema.Union([BankRule, RuleHits])),
      error: [NotFound, PreconditionFailed, ValidationFailed, RuleBudgetExceeded, RuleCheckUnavailable]
    }).annotateMerge(
      operation(
        "Update a bank rule",
        "Changes the fields that the body has. `dry_run` changes nothing and answers which open transactions " +
          "the rule would hit.",
        "bank_rule.updated"
      )
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed(BankRuleId),
      error: [NotFound, PreconditionFailed]
    }).annotateMerge(
      operation("Delete a bank rule", "Deletes the rule; the documents that it created are kept.", "bank_rule.deleted")
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/bank-rules") {}

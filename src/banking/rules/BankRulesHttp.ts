import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { withETag } from "../../platform/http/Precondition.ts"
import { BankRules } from "./BankRules.ts"
import { BankRulesApi } from "./BankRulesApi.ts"

export const BankRulesHttp = HttpApiBuilder.group(
  contract.add(BankRulesApi),
  "bankRules",
  Effect.fn(function* (handlers) {
    const rules = yield* BankRules
    return handlers.handleAll({
      list: () => rules.all,
      create: ({ payload, query }) =>
        query.dry_run === true ? rules.tryCreate(payload) : withETag(rules.create(payload)),
      get: ({ params }) => withETag(rules.get(params.id)),
      update: ({ params, payload, query }) =>
        query.dry_run === true ? rules.tryUpdate(params.id, payload) : withETag(rules.update(params.id, payload)),
      remove: ({ params }) => rules.remove(params.id)
    })
  })
)

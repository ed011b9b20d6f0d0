import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { paginateListing } from "../../platform/http/Pagination.ts"
import { withETag } from "../../platform/http/Precondition.ts"
import { BankTransactions } from "../transactions/BankTransactions.ts"
import { BulkConfirm } from "../reconciliation/BulkConfirm.ts"
import { LineDocuments } from "../reconciliation/LineDocuments.ts"
import { Reconciliation } from "../reconciliation/Reconciliation.ts"
import { BankTransactionsApi } from "./BankTransactionsApi.ts"

export const BankTransactionsHttp = HttpApiBuilder.group(
  contract.add(BankTransactionsApi),
  "bankTransactions",
  Effect.fn(function* (handlers) {
    const transactions = yield* BankTransactions
    const reconciliation = yield* Reconciliation
    const documents = yield* LineDocuments
    const confirmation = yield* BulkConfirm
    return handlers.handleAll({
      list: ({ query }) => paginateListing(query, transactions.list),
      get: ({ params }) => withETag(transactions.get(params.id)),
      bulkConfirm: ({ payload }) => confirmation.run(payload.transaction_ids),
      match: ({ params, payload }) => reconciliation.match(params.id, payload),
      createDocument: ({ params, payload }) => documents.create(params.id, payload ?? {}),
      documentPrefill: ({ params }) => documents.prefill(params.id),
      unmatch: ({ params, payload }) => withETag(reconciliation.unmatch(params.id, payload ?? {}))
    })
  })
)

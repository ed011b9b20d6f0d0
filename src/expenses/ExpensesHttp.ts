import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../platform/http/Contract.ts"
import { paginateListing } from "../platform/http/Pagination.ts"
import { withETag } from "../platform/http/Precondition.ts"
import { ExpenseInvoicer } from "./ExpenseInvoicer.ts"
import { Expenses } from "./Expenses.ts"
import { ExpensesApi } from "./ExpensesApi.ts"

export const ExpensesHttp = HttpApiBuilder.group(
  contract.add(ExpensesApi),
  "expenses",
  Effect.fn(function* (handlers) {
    const expenses = yield* Expenses
    const billing = yield* ExpenseInvoicer
    return handlers.handleAll({
      list: ({ query }) => paginateListing(query, expenses.list),
      create: ({ payload }) => withETag(expenses.create(payload)),
      get: ({ params }) => withETag(expenses.get(params.id)),
      update: ({ params, payload }) => withETag(expenses.update(params.id, payload)),
      remove: ({ params }) => expenses.remove(params.id),
      convertToInvoiceItem: ({ params, payload }) => withETag(billing.convertToInvoiceItem(params.id, payload)),
      duplicate: ({ params }) => withETag(expenses.duplicate(params.id)),
      linkToInvoice: ({ params, payload }) => withETag(billing.linkToInvoice(params.id, payload)),
      markBillable: ({ params }) => withETag(expenses.markBillable(params.id)),
      markPaid: ({ params, payload }) => withETag(expenses.markPaid(params.id, payload ?? {}))
    })
  })
)

import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { data, page } from "../../kernel/Envelope.ts"
import { BankTransactionId, inText } from "../../kernel/Ids.ts"
import { NotFound } from "../../kernel/Refusal.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { BankTransaction, bankTransactionsQuery } from "./BankTransaction.ts"

const params = { id: inText(BankTransactionId) }

/** Spec, Endpoints: Banking. */
export class BankTransactionsApi extends HttpApiGroup.make("bankTransactions")
  .add(
    HttpApiEndpoint.get("list", "/", { query: bankTransactionsQuery, success: page(BankTransaction), error: NotFound }),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(BankTransaction), error: NotFound })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/bank-transactions") {}

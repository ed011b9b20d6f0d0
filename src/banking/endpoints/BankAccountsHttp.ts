import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { acceptedAs, prefersLater } from "../../operations/Operation.ts"
import { contract } from "../../platform/http/Contract.ts"
import { paginate } from "../../platform/http/Pagination.ts"
import { receivedUpload } from "../../platform/http/Upload.ts"
import { BankImports } from "../imports/BankImports.ts"
import { ImportOperations } from "../imports/ImportOperations.ts"
import { StatementImports } from "../imports/StatementImports.ts"
import { BankAccounts } from "../accounts/BankAccounts.ts"
import { BankAccountsApi } from "./BankAccountsApi.ts"

export const BankAccountsHttp = HttpApiBuilder.group(
  contract.add(BankAccountsApi),
  "bankAccounts",
  Effect.fn(function* (handlers) {
    const accounts = yield* BankAccounts
    const imports = yield* StatementImports
    const bankImports = yield* BankImports
    const operations = yield* ImportOperations
    return handlers
      .handle("list", ({ query }) => accounts.list(query).pipe(paginate(query)))
      .handle("get", ({ params }) => accounts.get(params.id))
      .handleRaw("importStatement", ({ headers, params, query }) =>
        prefersLater(headers)
          ? Effect.map(operations.enqueue(params.id, receivedUpload, query), acceptedAs)
          : imports.run(params.id, receivedUpload, query)
      )
      .handle("imports", ({ params, query }) => bankImports.list(params.id, query).pipe(paginate(query)))
      .handle("import", ({ params }) => bankImports.get(params.id, params.import_id))
      .handle("removeImport", ({ params }) => bankImports.remove(params.id, params.import_id))
      .handle("reconciliationReport", ({ params, query }) => accounts.report(params.id, query))
  })
)

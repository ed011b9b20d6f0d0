import { Effect, Layer } from "effect"
import { operationWorker } from "../operations/OperationWork.ts"
import { BankAccounts } from "./accounts/BankAccounts.ts"
import { BankAccountsHttp } from "./endpoints/BankAccountsHttp.ts"
import { BankImports } from "./imports/BankImports.ts"
import { ImportOperations, importWork } from "./imports/ImportOperations.ts"
import { StatementImports } from "./imports/StatementImports.ts"
import { SuggestionRefreshWorker } from "./refreshes/SuggestionRefreshWorker.ts"
import { RefundRemoval } from "./refunds/RefundRemoval.ts"
import { RefundsHttp } from "./refunds/RefundsHttp.ts"
import { BankRules } from "./rules/BankRules.ts"
import { BankRulesHttp } from "./rules/BankRulesHttp.ts"
import { BankTransactions } from "./transactions/BankTransactions.ts"
import { BulkConfirm } from "./reconciliation/BulkConfirm.ts"
import { LineDocuments } from "./reconciliation/LineDocuments.ts"
import { Reconciliation } from "./reconciliation/Reconciliation.ts"
import { BankTransactionsHttp } from "./endpoints/BankTransactionsHttp.ts"

const BankingServices = Layer.mergeAll(
  BankAccounts.layer,
  StatementImports.layer,
  BankImports.layer,
  BankRules.layer,
  BankTransactions.layer,
  Reconciliation.layer,
  LineDocuments.layer,
  BulkConfirm.layer,
  RefundRemoval.layer
)

export const BankingLayer = Layer.mergeAll(BankAccountsHttp, BankRulesHttp, BankTransactionsHttp, RefundsHttp).pipe(
  Layer.provide([BankingServices, ImportOperations.layer.pipe(Layer.provide(StatementImports.layer))])
)

/**
 * Workers that import statement files after the answer to the upload (`Prefer: respond-async`), and workers that
 * refresh suggestions.
 */
export const BankingWorkers = Layer.unwrap(Effect.map(importWork, operationWorker)).pipe(
  Layer.provide(StatementImports.layer),
  Layer.merge(SuggestionRefreshWorker)
)

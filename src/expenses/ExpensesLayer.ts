import { Layer } from "effect"
import { ExpenseInvoicer } from "./ExpenseInvoicer.ts"
import { Expenses } from "./Expenses.ts"
import { ExpensesHttp } from "./ExpensesHttp.ts"
import { ReceiptProcessor } from "./receipts/reading/ReceiptProcessor.ts"
import { ReceiptWorker } from "./receipts/reading/ReceiptWorker.ts"
import { Receipts } from "./receipts/Receipts.ts"
import { ReceiptsHttp } from "./receipts/ReceiptsHttp.ts"
import { ReceiptUpkeep } from "./receipts/ReceiptUpkeep.ts"
import { ReceiptUpkeepWorker } from "./receipts/ReceiptUpkeepWorker.ts"

const ExpensesServices = Layer.mergeAll(Expenses.layer, ExpenseInvoicer.layer)

export const ExpensesLayer = Layer.merge(ExpensesHttp, ReceiptsHttp).pipe(
  Layer.provide(Receipts.layer),
  Layer.provide(ExpensesServices)
)

export { ExpenseBooks } from "./books/ExpenseBooks.ts"

export const ExpensesWorkers = Layer.merge(ReceiptWorker, ReceiptUpkeepWorker).pipe(
  Layer.provide(ReceiptUpkeep.layer),
  Layer.provide(ReceiptProcessor.layer),
  Layer.provide(Expenses.layer)
)

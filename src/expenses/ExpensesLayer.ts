import { Layer } from "effect"
import { ExpenseBilling } from "./ExpenseBilling.ts"
import { Expenses } from "./Expenses.ts"
import { ExpensesHttp as ExpensesGroup } from "./ExpensesHttp.ts"
import { ReceiptOcr } from "./receipts/reading/ReceiptOcr.ts"
import { ReceiptOcrWorker } from "./receipts/reading/ReceiptOcrWorker.ts"
import { Receipts } from "./receipts/Receipts.ts"
import { ReceiptsHttp } from "./receipts/ReceiptsHttp.ts"
import { ReceiptUpkeep } from "./receipts/ReceiptUpkeep.ts"
import { ReceiptUpkeepWorker } from "./receipts/ReceiptUpkeepWorker.ts"

const ExpensesServices = Layer.mergeAll(Expenses.layer, ExpenseBilling.layer)

export const ExpensesHttp = Layer.merge(ExpensesGroup, ReceiptsHttp).pipe(
  Layer.provide(Receipts.layer),
  Layer.provide(ExpensesServices)
)

export const ExpensesWorkers = Layer.merge(ReceiptOcrWorker, ReceiptUpkeepWorker).pipe(
  Layer.provide(ReceiptUpkeep.layer),
  Layer.provide(ReceiptOcr.layer),
  Layer.provide(Expenses.layer)
)

import { Layer } from "effect"
import { ArchiveWorkers } from "./archive/ArchiveLayer.ts"
import { BankingWorkers } from "./banking/BankingLayer.ts"
import { BatchWorkers } from "./batch/BatchLayer.ts"
import { BillingWorkers, SalesBooks } from "./billing/BillingLayer.ts"
import { EinvoicingWorkers } from "./einvoicing/EinvoicingLayer.ts"
import { ExpenseBooks, ExpensesWorkers } from "./expenses/ExpensesLayer.ts"
import { IdentityWorkers } from "./identity/IdentityLayer.ts"
import { OperationsPurgeWorker } from "./operations/OperationsPurgeWorker.ts"
import { OrganizationsWorkers } from "./organizations/OrganizationsLayer.ts"
import { PdfFailuresPurgeWorker } from "./platform/documents/pdf/PdfFailuresRepo.ts"
import { EdgePurgeWorker } from "./platform/http/edge/EdgePurge.ts"
import { JobGauges } from "./platform/jobs/JobGauges.ts"
import { JobTurns } from "./platform/jobs/JobTurns.ts"
import { DatabaseGauges } from "./platform/sql/DatabaseGauges.ts"
import { TalliesWorker } from "./platform/tallies/TalliesWorker.ts"
import { WebhooksWorkers } from "./webhooks/WebhooksLayer.ts"

export const Workers = Layer.mergeAll(
  ArchiveWorkers.pipe(Layer.provide([SalesBooks, ExpenseBooks])),
  BankingWorkers,
  BatchWorkers,
  BillingWorkers,
  IdentityWorkers,
  OperationsPurgeWorker,
  OrganizationsWorkers,
  ExpensesWorkers,
  EinvoicingWorkers,
  WebhooksWorkers,
  EdgePurgeWorker,
  PdfFailuresPurgeWorker,
  JobGauges,
  JobTurns,
  DatabaseGauges,
  TalliesWorker
)

import { Layer } from "effect"
import { CustomerNetwork } from "./directory/CustomerNetwork.ts"
import { CustomerNetworkHttp } from "./directory/CustomerNetworkHttp.ts"
import { Directory } from "./directory/Directory.ts"
import { DirectoryHttp } from "./directory/DirectoryHttp.ts"
import { CustomerSubmissions } from "./documents/CustomerSubmissions.ts"
import { EinvoicePapers } from "./transmissions/EinvoicePapers.ts"
import { Einvoices } from "./documents/Einvoices.ts"
import { EinvoicesHttp } from "./endpoints/EinvoicesHttp.ts"
import { EinvoiceFollowUp } from "./transmissions/EinvoiceFollowUp.ts"
import { EinvoiceSignatures } from "./transmissions/EinvoiceSignatures.ts"
import { EinvoiceTransmission } from "./transmissions/EinvoiceTransmission.ts"
import { EinvoiceWorker } from "./transmissions/EinvoiceWorker.ts"
import { PaymentReports } from "./transmissions/PaymentReports.ts"
import { RecordedDocuments } from "./recording/RecordedDocuments.ts"
import { RecordingWorker } from "./recording/RecordingWorker.ts"
import { Submissions } from "./documents/Submissions.ts"
import { EInvoiceFiles } from "./files/EInvoiceFiles.ts"
import { EInvoiceFilesHttp } from "./files/EInvoiceFilesHttp.ts"
import { FrenchReports } from "./france/reports/FrenchReports.ts"
import { ReportsWorker } from "./france/reports/ReportsWorker.ts"
import { ConnectedProviders } from "./ConnectedProviders.ts"
import { ConnectionGauges } from "./providers/connections/ConnectionGauges.ts"
import { SandboxPurgeWorker } from "./sandbox/SandboxPurge.ts"
import { Inbox } from "./received/Inbox.ts"
import { InboxWorker } from "./received/InboxWorker.ts"
import { PaymentNotices } from "./received/PaymentNotices.ts"
import { ReceivedDocuments } from "./received/ReceivedDocuments.ts"
import { ReceivedHttp } from "./received/ReceivedHttp.ts"
import { Approvals } from "./registrations/Approvals.ts"
import { EnrollmentRepair } from "./registrations/EnrollmentRepair.ts"
import { EnrollmentWorker } from "./registrations/EnrollmentWorker.ts"
import { Registrations } from "./registrations/Registrations.ts"
import { RegistrationsHttp } from "./registrations/RegistrationsHttp.ts"
import { SummaryWorker } from "./verifactu/kept/SummaryWorker.ts"

export const EinvoicingServices = Layer.mergeAll(
  Registrations.layer,
  Approvals.layer,
  Directory.layer,
  CustomerNetwork.layer,
  Einvoices.layer,
  EinvoiceSignatures.layer,
  Submissions.layer,
  CustomerSubmissions.layer,
  RecordedDocuments.layer,
  EInvoiceFiles.layer,
  ReceivedDocuments.layer,
  FrenchReports.layer
).pipe(Layer.provideMerge(ConnectedProviders))

export const EinvoicingLayer = Layer.mergeAll(
  RegistrationsHttp,
  DirectoryHttp,
  CustomerNetworkHttp,
  EinvoicesHttp,
  EInvoiceFilesHttp,
  ReceivedHttp
).pipe(Layer.provide(EinvoicingServices))

export const EinvoicingWorkers = Layer.mergeAll(
  ConnectionGauges,
  EinvoiceWorker,
  EnrollmentWorker,
  InboxWorker,
  RecordingWorker,
  ReportsWorker,
  SandboxPurgeWorker,
  SummaryWorker
).pipe(
  Layer.provide([
    EinvoiceTransmission.layer,
    EinvoiceFollowUp.layer,
    EinvoicePapers.layer,
    RecordedDocuments.layer,
    EnrollmentRepair.layer,
    FrenchReports.layer,
    Inbox.layer,
    PaymentNotices.layer,
    PaymentReports.layer
  ]),
  Layer.provide(ConnectedProviders)
)

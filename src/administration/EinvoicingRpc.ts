import { Schema, Struct } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import { ShownReport } from "../einvoicing/france/reports/FrenchReport.ts"
import { Setting } from "../einvoicing/providers/Adapter.ts"
import { Connection, ConnectionKey } from "../einvoicing/providers/connections/Connection.ts"
import { ProviderCode } from "../einvoicing/providers/Network.ts"
import { RecordCheck, RecordPeriod, ShownEvent } from "../einvoicing/providers/RecordBooks.ts"
import { RecordComparison } from "../einvoicing/providers/RecordComparison.ts"
import { ConnectionRefused, ProviderNotConfigured } from "../einvoicing/providers/ProviderErrors.ts"
import { EinvoiceId, OrganizationId } from "../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../kernel/Refusal.ts"
import { Line } from "../kernel/Text.ts"
import { page } from "./PeopleRpc.ts"

const ListAdapters = Rpc.make("ListAdapters", {
  success: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      network: ProviderCode,
      name: Schema.String,
      settings: Schema.Array(Setting)
    })
  )
})

/** Connects an organization to an e-invoicing provider. The settings are stored encrypted and are never returned. */
const ConnectProvider = Rpc.make("ConnectProvider", {
  payload: {
    organization_id: OrganizationId,
    adapter: Line,
    settings: Schema.Record(Schema.String, Schema.RedactedFromValue(Schema.String))
  },
  success: Connection,
  error: Schema.Union([NotFound, ValidationFailed, ConnectionRefused])
})

/** Pending documents wait until the organization is connected again. */
const DisconnectProvider = Rpc.make("DisconnectProvider", {
  payload: ConnectionKey.fields,
  success: Connection,
  error: NotFound
})

const ListConnections = Rpc.make("ListConnections", {
  payload: { organization_id: Schema.optionalKey(OrganizationId) },
  success: Schema.Array(Connection)
})

/** Lists an organization's French e-reports, and the settings that must be completed before anything is reported. */
const ListFrenchReports = Rpc.make("ListFrenchReports", {
  payload: { organization_id: OrganizationId },
  success: Schema.Struct({ missing: Schema.Array(Schema.String), reports: Schema.Array(ShownReport) }),
  error: NotFound
})

/** Enqueues a request to the tax authority to cancel its record of a document that should never have been issued. */
const CancelRecord = Rpc.make("CancelRecord", {
  payload: { organization_id: OrganizationId, einvoice_id: EinvoiceId },
  error: NotFound
})

/** Compares the records of one month's documents: those stored here with those of the tax authority. */
const CompareRecords = Rpc.make("CompareRecords", {
  payload: {
    organization_id: OrganizationId,
    month: Schema.String.check(
      Schema.isPattern(/^\d{4}-(?:0[1-9]|1[0-2])$/, { message: "must be a month, e.g. 2026-03." })
    )
  },
  success: RecordComparison,
  error: Schema.Union([NotFound, ProviderNotConfigured, ConnectionRefused])
})

/** Checks the records that are stored for the tax authority, and their log of events. Default: all records. */
const CheckRecords = Rpc.make("CheckRecords", {
  payload: { organization_id: OrganizationId, ...Struct.map(RecordPeriod.fields, Schema.optionalKey) },
  success: RecordCheck,
  error: Schema.Union([NotFound, ProviderNotConfigured])
})

/** Lists the events about the records that are stored for the tax authority, the latest first. */
const ListRecordEvents = Rpc.make("ListRecordEvents", {
  payload: { organization_id: OrganizationId, ...page },
  success: Schema.Array(ShownEvent),
  error: Schema.Union([NotFound, ProviderNotConfigured])
})

/** Exports the records of documents and the events of a period as a ZIP archive of XML files. */
const ExportRecords = Rpc.make("ExportRecords", {
  payload: { organization_id: OrganizationId, ...RecordPeriod.fields },
  success: Schema.Uint8Array,
  error: Schema.Union([NotFound, ProviderNotConfigured]),
  stream: true
})

export class EinvoicingRpc extends RpcGroup.make(
  ListAdapters,
  ConnectProvider,
  DisconnectProvider,
  ListConnections,
  ListFrenchReports,
  CancelRecord,
  CompareRecords,
  CheckRecords,
  ListRecordEvents,
  ExportRecords
) {}

import { Console, Effect, FileSystem, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Settings } from "../../../einvoicing/providers/Adapter.ts"
import { ProviderCode } from "../../../einvoicing/providers/Network.ts"
import { Day } from "../../../kernel/Calendar.ts"
import { EinvoiceId } from "../../../kernel/Ids.ts"
import { userError } from "../AdminClient.ts"
import { download, organization_id, paging, perform } from "../Root.ts"

const decode = Schema.decodeEffect(Schema.fromJsonString(Settings))

/** The settings are read from a file, not from the command line, which other users of the machine can read. */
const settings = Flag.String("settings").pipe(
  Flag.withDescription("File with the settings as a JSON object of texts, e.g. /dev/stdin"),
  // `Flag.FileText` refuses files that are not regular, such as pipes.
  Flag.mapEffect((file) =>
    Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(file)).pipe(
      Effect.flatMap(decode),
      Effect.mapError(() => userError(`The file ${file} cannot be read as a JSON object of texts.`))
    )
  )
)

const adapters = Command.make("adapters", {}, (flags) => perform("ListAdapters", flags)).pipe(
  Command.withDescription("List the adapters and the settings that they need")
)

const connect = Command.make(
  "connect",
  {
    organization_id,
    adapter: Flag.String("adapter").pipe(Flag.withDescription("Code of the adapter, e.g. recommand")),
    settings
  },
  (flags) => perform("ConnectProvider", flags)
).pipe(Command.withDescription("Give an organization an account at a provider"))

const disconnect = Command.make(
  "disconnect",
  {
    organization_id,
    provider: Flag.Literals("provider", ProviderCode.literals).pipe(Flag.withDescription("Network of the provider"))
  },
  (flags) => perform("DisconnectProvider", flags)
).pipe(Command.withDescription("Forget the account of an organization at a provider"))

const connections = Command.make("connections", { organization_id: Flag.optional(organization_id) }, (flags) =>
  perform("ListConnections", flags, [
    "organization_id",
    "provider",
    "adapter",
    "environment",
    "last_exchange_at",
    "last_error"
  ])
).pipe(Command.withDescription("List the connections to providers with their health"))

const reports = Command.make("reports", { organization_id }, (flags) => perform("ListFrenchReports", flags)).pipe(
  Command.withDescription("List the French e-reporting of an organization, and the settings that are missing")
)

const cancel = Command.make(
  "cancel-record",
  {
    organization_id,
    einvoice_id: Flag.Int("einvoice").pipe(Flag.withDescription("Id of the submission"), Flag.withSchema(EinvoiceId))
  },
  (flags) => perform("CancelRecord", flags)
).pipe(Command.withDescription("Cancel the record of a document that should never have been issued (Spain)"))

const compare = Command.make(
  "compare-records",
  {
    organization_id,
    month: Flag.String("month").pipe(Flag.withDescription("Month of the supplies or of the documents, e.g. 2026-03"))
  },
  (flags) => perform("CompareRecords", flags)
).pipe(Command.withDescription("Compare the records of a month with those of the tax authority (Spain)"))

const day = (name: string, which: string) =>
  Flag.String(name).pipe(Flag.withDescription(`${which} day of the period, e.g. 2027-03-01`), Flag.withSchema(Day))
const period = { from: day("from", "First"), until: day("until", "Last") }

const check = Command.make(
  "check-records",
  { organization_id, from: Flag.optional(period.from), until: Flag.optional(period.until) },
  (flags) => perform("CheckRecords", flags)
).pipe(Command.withDescription("Check hashes, signatures, links and times of the records and events kept here (Spain)"))

const events = Command.make("record-events", { organization_id, ...paging }, (flags) =>
  perform("ListRecordEvents", flags)
).pipe(Command.withDescription("List the log of events beside the records kept here, the latest first (Spain)"))

const exported = Command.make(
  "export-records",
  { organization_id, ...period, file: Argument.String("file").pipe(Argument.withDescription("ZIP archive to write")) },
  ({ file, ...payload }) =>
    Effect.andThen(
      download((client) => client.ExportRecords(payload), file),
      Console.log(`The records and events are in ${file}.`)
    )
).pipe(Command.withDescription("Write the records and events of a period into a ZIP archive of XML files (Spain)"))

export const einvoicing = Command.make("einvoicing").pipe(
  Command.withDescription("Providers of e-invoicing"),
  Command.withSubcommands([
    adapters,
    connect,
    disconnect,
    connections,
    reports,
    cancel,
    compare,
    check,
    events,
    exported
  ])
)

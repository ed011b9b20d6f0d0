import { Context, Effect, Layer, Option, Stream } from "effect"
import { now } from "../../kernel/Calendar.ts"
import { todayHere } from "../../platform/http/Today.ts"
import type { ValidationFailed } from "../../kernel/Refusal.ts"
import { callerEntry, AuditLog } from "../../platform/events/AuditLog.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { refusedEnd, requireOrder } from "../periods/Period.ts"
import type { ExportFormat, ExportRequest } from "./ExportRequest.ts"
import { RecordExportsRepo, type Selection } from "./RecordExportsRepo.ts"
import { type Writing, writingOf } from "./Writing.ts"

/** Maximum number of records in one export. A longer period must be exported in parts. */
const records_max = 1_000_000
/** Maximum number of records in memory at a time, whatever the size of the export. */
const portion_records = 1_000

export interface ExportFile {
  /** The file name with the day of the export, such as "invoices-2026-03-01.csv". */
  readonly name: string
  readonly format: ExportFormat
  /** When the database fails, the stream ends early and the connection is closed. */
  readonly bytes: Stream.Stream<Uint8Array>
}

/** Exports an organization's records; the audit chain records who exported what. */
export class RecordExports extends Context.Service<
  RecordExports,
  { readonly export: (request: ExportRequest) => Effect.Effect<ExportFile, ValidationFailed, Caller> }
>()("invoicing/reports/export/RecordExports") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* RecordExportsRepo
      const auditLog = yield* AuditLog
      const { reading } = yield* Database

      /** Writes the next portion of a file, and returns where the following portion starts. */
      const step = (writing: Writing, selection: Selection, last: number) =>
        Effect.fnUntraced(function* ({ after, count }: Progress) {
          const found = yield* reading(repo.portion(selection, after, last, portion_records))
          const sum = count + found.length
          const text = writing.portion(
            found.map(({ cells }) => cells),
            count === 0
          )
          const reached = found.at(-1)
          if (reached === undefined || found.length < portion_records) {
            return [[text + writing.end(sum)], Option.none<Progress>()] as const
          }
          return [[text], Option.some({ after: reached.id, count: sum })] as const
        })

      const make = Effect.fn("RecordExports.export")(function* (request: ExportRequest) {
        const { end_date = null, resource, start_date = null } = request
        if (start_date !== null && end_date !== null) yield* requireOrder({ start_date, end_date })
        const { id: organization_id, timezone } = yield* CurrentOrganization
        const today = yield* todayHere
        const selection = { organization_id, resource, start_date, end_date, timezone, today }
        const { count, last } = yield* reading(repo.extent(selection))
        if (count > records_max) return yield* refusedEnd(`must end a period of at most ${records_max} ${resource}.`)
        const format = request.format ?? "csv"
        // The audit entry is written before the first byte is sent, so that no data leaves without it.
        const data = { resource, format, start_date, end_date, records: count, surface: "api" }
        yield* auditLog.append(yield* callerEntry("report.exported", data))
        const writing = writingOf(format, { resource, columns: repo.columns(resource), generated_at: yield* now })
        const begin: Progress = { after: 0, count: 0 }
        const portions = Stream.paginate(begin, step(writing, selection, last ?? 0))
        const bytes = Stream.make(writing.begin).pipe(Stream.concat(portions), Stream.encodeText)
        return { name: `${resource}-${today}.${format}`, format, bytes }
      })

      return RecordExports.of({ export: make })
    })
  ).pipe(Layer.provide(RecordExportsRepo.layer))
}

interface Progress {
  readonly after: number
  readonly count: number
}

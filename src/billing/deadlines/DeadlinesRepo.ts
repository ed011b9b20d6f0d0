import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Day, TimeZone } from "../../kernel/Calendar.ts"
import { type InvoiceId, OrganizationId, QuoteId } from "../../kernel/Ids.ts"
import { type Entry, AuditLog } from "../../platform/events/AuditLog.ts"
import { InvoiceFacts } from "../invoices/Invoice.ts"
import { sending_time_max } from "../sending/DocumentSendsRepo.ts"
import { source, columns } from "../invoices/InvoicesRepo.ts"
import { traced } from "../../platform/sql/Traced.ts"

/** The calendar day in each time zone that an organization uses. */
const Days = Schema.Array(Schema.Struct({ timezone: TimeZone, day: Day }))
export type Days = typeof Days.Type

const Page = Schema.Struct({
  days: Days,
  latest: Day,
  after: Schema.Struct({ deadline: Day, id: Schema.Int }),
  limit: Schema.Int
})
export type Page = typeof Page.Type

const ofOrganization = { organization_id: OrganizationId, timezone: TimeZone, deadline: Day }

const Invoice = Schema.Struct({ ...InvoiceFacts.fields, ...ofOrganization })
export type DueInvoice = typeof Invoice.Type

const Quote = Schema.Struct({ ...ofOrganization, id: QuoteId, number: Schema.NullOr(Schema.String) })
export type ExpiredQuote = typeof Quote.Type

/** Finds documents of all organizations whose deadline has passed and is not announced yet, oldest deadline first. */
export class DeadlinesRepo extends Context.Service<DeadlinesRepo>()("invoicing/billing/deadlines/DeadlinesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const auditLog = yield* AuditLog

    const zones = SqlSchema.findAll({
      Request: Schema.Void,
      Result: Schema.Struct({ timezone: TimeZone }),
      execute: () => sql`select distinct timezone from clocks`
    })

    const today = (days: typeof Days.Encoded) =>
      sql`jsonb_to_recordset(${sql.json(days)}) as today (timezone text, day date) on today.timezone = c.timezone`

    /**
     * True while a send that issued the document is unfinished, at most for `sending_time_max`, because that send may
     * make it a draft again.
     */
    const mayBecomeDraft = (kind: "invoice" | "quote", alias: "i" | "q") => sql`exists (
      select from document_sends s
      where s.organization_id = ${sql(alias)}.organization_id and s.document = ${kind}
        and s.document_id = ${sql(alias)}.id and s.finished_at is null and s.issued is not null
        and s.created_at > now() - ${sending_time_max}::interval)`

    const invoices = SqlSchema.findAll({
      Request: Page,
      Result: Invoice,
      execute: ({ after, days, latest, limit }) => sql`
        select ${sql.literal(columns)}, i.organization_id, c.timezone,
          i.due_date as deadline
        from ${sql.literal(source)} join clocks c on c.organization_id = i.organization_id join ${today(days)}
        where i.due_date < today.day and i.due_date < ${latest}::date
          and (i.due_date, i.id) > (${after.deadline}::date, ${after.id})
          and i.deleted_at is null and i.state in ('sent', 'partially_paid')
          and i.announced_due_date is distinct from i.due_date and not ${mayBecomeDraft("invoice", "i")}
        order by i.due_date, i.id limit ${limit}`
    })

    const quotes = SqlSchema.findAll({
      Request: Page,
      Result: Quote,
      execute: ({ after, days, latest, limit }) => sql`
        select q.id, q.number, q.organization_id, c.timezone, q.valid_until as deadline
        from quotes q join clocks c on c.organization_id = q.organization_id join ${today(days)}
        where q.valid_until < today.day and q.valid_until < ${latest}::date
          and (q.valid_until, q.id) > (${after.deadline}::date, ${after.id})
          and q.deleted_at is null and q.status = 'sent' and q.announced_valid_until is distinct from q.valid_until
          and not ${mayBecomeDraft("quote", "q")}
        order by q.valid_until, q.id limit ${limit}`
    })

    /** Locks rows in the order of their ids, so that two transactions cannot deadlock. */
    const hold = (table: "invoices" | "quotes") =>
      Effect.fn("DeadlinesRepo.hold")(function* (organization_id: OrganizationId, ids: ReadonlyArray<number>) {
        yield* sql`
          select id from ${sql(table)} where organization_id = ${organization_id} and ${sql.in("id", ids)}
          order by id for update`
      }, Effect.orDie)

    /** Writes only if the invoice still has this version, so that only one process announces its present state. */
    const announceInvoice = Effect.fn("DeadlinesRepo.announceInvoice")(function* (
      { id, organization_id, version }: { readonly id: InvoiceId; readonly version: number } & Owned,
      entry: Entry
    ) {
      return yield* auditLog.write(
        sql`written as (
          update invoices set announced_due_date = due_date
          where organization_id = ${organization_id} and id = ${id} and version = ${version} and deleted_at is null
            and announced_due_date is distinct from due_date
          returning id)`,
        entry
      )
    }, Effect.orDie)

    const announceQuote = Effect.fn("DeadlinesRepo.announceQuote")(function* (
      { deadline, id, organization_id }: { readonly id: QuoteId; readonly deadline: Day } & Owned,
      entry: Entry
    ) {
      return yield* auditLog.write(
        sql`written as (
          update quotes set announced_valid_until = valid_until
          where organization_id = ${organization_id} and id = ${id} and deleted_at is null
            and status = 'sent' and valid_until = ${deadline}::date
            and announced_valid_until is distinct from valid_until
          returning id)`,
        entry
      )
    }, Effect.orDie)

    return {
      ...traced("DeadlinesRepo", { zones, invoices, quotes }),
      holdInvoices: hold("invoices"),
      holdQuotes: hold("quotes"),
      announceInvoice,
      announceQuote
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

interface Owned {
  readonly organization_id: OrganizationId
}

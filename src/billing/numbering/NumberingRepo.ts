import { Context, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Day } from "../../kernel/Calendar.ts"
import { DocumentKind } from "../../kernel/DocumentKind.ts"
import { OrganizationId } from "../../kernel/Ids.ts"

const Series = Schema.Struct({
  organization_id: OrganizationId,
  document: DocumentKind,
  series: Schema.String,
  /** The number that the organization set as the next one of the series; lower numbers are skipped. */
  first: Schema.Int,
  /**
   * True if the organization set `first` without a year: `first` then applies only to the series that goes on from it
   * first, whose column `asked` has it. New series of other years start at 1.
   */
  once: Schema.Boolean
})

/** The issue date of the document; null for a draft, whose date may still change. */
const Take = Schema.Struct({ ...Series.fields, issue_date: Schema.NullOr(Day) })

const Undate = Schema.Struct({ ...Struct.omit(Series.fields, ["first", "once"]), number: Schema.String })
const GiveBack = Schema.Struct({ ...Undate.fields, sequence: Schema.Int })

const tables: Readonly<Record<DocumentKind, string>> = {
  invoice: "invoices",
  quote: "quotes",
  credit_note: "credit_notes"
}

/**
 * SQL conditions for documents whose issue date is final. A draft invoice may have a number, but its date may still
 * change.
 */
const issued: Readonly<Record<DocumentKind, string>> = {
  invoice: "issued_at is not null",
  quote: "true",
  credit_note: "true"
}

export class NumberingRepo extends Context.Service<NumberingRepo>()("invoicing/billing/numbering/NumberingRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const firstOf = ({ document, first, once, organization_id, series }: typeof Series.Encoded) => sql`
      case when ${once}::boolean and exists (
        select from document_counters where organization_id = ${organization_id} and document = ${document}
          and series <> ${series} and asked = ${first}::integer) then 1 else ${first}::integer end`
    const take = SqlSchema.findOne({
      Request: Take,
      Result: Schema.Struct({ sequence: Schema.Int, latest: Schema.NullOr(Day), asked: Schema.Boolean }),
      execute: ({ issue_date, ...request }) => sql`
        insert into document_counters as c (organization_id, document, series, next, last_issue_date, asked)
        select ${request.organization_id}, ${request.document}, ${request.series}, first + 1, ${issue_date}::date, first
        from (select ${firstOf(request)} as first) s
        on conflict (organization_id, document, series) do update set
          next = greatest(c.next, excluded.asked) + 1,
          asked = case when excluded.asked < c.next then c.asked else excluded.asked end,
          last_issue_date = greatest(c.last_issue_date, excluded.last_issue_date)
        returning next - 1 as sequence, last_issue_date as latest,
          coalesce(next - 1 > 1 and asked = next - 1, false) as asked`
    })
    const next = SqlSchema.findOneOption({
      Request: Schema.Struct(Struct.omit(Series.fields, ["first", "once"])),
      Result: Schema.Struct({ next: Schema.Int }),
      execute: ({ document, organization_id, series }) => sql`
        select next from document_counters
        where organization_id = ${organization_id} and document = ${document} and series = ${series}`
    })
    // This statement also creates the row of a new series, so that there is a row to lock.
    const date = SqlSchema.findOne({
      Request: Take,
      Result: Schema.Struct({ latest: Schema.NullOr(Day) }),
      execute: ({ issue_date, ...request }) => sql`
        insert into document_counters as c (organization_id, document, series, next, last_issue_date, asked)
        select ${request.organization_id}, ${request.document}, ${request.series}, first, ${issue_date}::date, first
        from (select ${firstOf(request)} as first) s
        on conflict (organization_id, document, series) do update set
          last_issue_date = greatest(c.last_issue_date, excluded.last_issue_date)
        returning last_issue_date as latest`
    })
    const latestBut = ({ document, number, organization_id, series }: typeof Undate.Encoded) => sql`
      (select max(issue_date) from ${sql.literal(tables[document])} where organization_id = ${organization_id}
        and number <> ${number} and ${sql.literal(issued[document])}
        and issue_date between make_date(${series}::integer, 1, 1) and make_date(${series}::integer, 12, 31))`
    const undate = SqlSchema.void({
      Request: Undate,
      execute: (request) => sql`
        update document_counters set last_issue_date = ${latestBut(request)}
        where organization_id = ${request.organization_id} and document = ${request.document}
          and series = ${request.series}`
    })
    const giveBack = SqlSchema.findOneOption({
      Request: GiveBack,
      Result: Schema.Struct({ next: Schema.Int }),
      execute: (request) => sql`
        update document_counters set next = next - 1, last_issue_date = ${latestBut(request)}
        where organization_id = ${request.organization_id} and document = ${request.document}
          and series = ${request.series} and next = ${request.sequence + 1}
        returning next`
    })
    const isTaken = SqlSchema.findOne({
      Request: Schema.Struct({ organization_id: OrganizationId, document: DocumentKind, number: Schema.String }),
      Result: Schema.Struct({ taken: Schema.Boolean }),
      execute: ({ document, number, organization_id }) => sql`
        select exists (
          select from ${sql.literal(tables[document])}
          where organization_id = ${organization_id} and number = ${number}) as taken`
    })
    return {
      isTaken: Effect.fn("NumberingRepo.isTaken")(
        isTaken,
        Effect.map(({ taken }) => taken),
        Effect.orDie
      ),
      /** Returns the next number of a series without taking it; none before the first number of the series. */
      next: (request: Omit<typeof Series.Type, "first" | "once">) =>
        next(request).pipe(Effect.map(Option.map((found) => found.next)), Effect.orDie),
      take: (request: typeof Take.Type) => take(request).pipe(Effect.orDie),
      date: (request: typeof Take.Type) => date(request).pipe(Effect.orDie),
      undate: (request: typeof Undate.Type) => undate(request).pipe(Effect.orDie),
      giveBack: (request: typeof GiveBack.Type) => giveBack(request).pipe(Effect.orDie)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

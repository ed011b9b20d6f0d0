import { Context, Effect, Layer, Option, Schema } from "effect"
import { PgClient } from "@effect/sql-pg"
import { SqlSchema } from "effect/sql"
import { Day } from "../../kernel/Calendar.ts"
import { limitOf, offsetOf } from "../../kernel/Envelope.ts"
import { BankAccountId, BankImportId, OrganizationId } from "../../kernel/Ids.ts"
import { type Listed, pagesOf } from "../../platform/sql/statements/Page.ts"
import { traced } from "../../platform/sql/Traced.ts"
import { BankImport, type BankImportsQuery } from "./BankImport.ts"

const Account = Schema.Struct({ organization_id: OrganizationId, bank_account_id: BankAccountId })
type Account = typeof Account.Type
const Key = Schema.Struct({ ...Account.fields, id: BankImportId })

const Row = { record: BankImport }
const LockedLines = Schema.Struct({ lines: Schema.Int, first_day: Schema.NullOr(Day) })

export class BankImportsRepo extends Context.Service<BankImportsRepo>()("invoicing/banking/imports/BankImportsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient

    const record = sql.literal(`i.summary || jsonb_build_object('matched', (
      select count(*) from bank_transactions t where t.organization_id = i.organization_id
        and t.import_session_id = i.id and t.matched_amount > 0)) as record`)

    const find = SqlSchema.findOneOption({
      Request: Key,
      Result: Schema.Struct(Row),
      execute: ({ bank_account_id, id, organization_id }) => sql`
        select ${record} from bank_imports i
        where i.organization_id = ${organization_id} and i.bank_account_id = ${bank_account_id} and i.id = ${id}`
    })

    const pages = pagesOf(Row)

    const list = Effect.fn("BankImportsRepo.list")(function* (
      { bank_account_id, organization_id }: Account,
      query: BankImportsQuery
    ) {
      const where = sql`i.organization_id = ${organization_id} and i.bank_account_id = ${bank_account_id}`
      const { rows, total } = yield* pages(
        query,
        (query) => sql<Listed>`
          select ${record}, (select count(*)::integer from bank_imports i where ${where}) as list_total
          from bank_imports i where ${where} order by i.id desc limit ${limitOf(query)} offset ${offsetOf(query)}`
      )
      return { rows: rows.map(({ record }) => record), total }
    }, Effect.orDie)

    /** Locks the lines and the other lines of their suggested transfers in the order of their ids, as matches do. */
    const lockLines = SqlSchema.findOne({
      Request: Key,
      Result: LockedLines,
      execute: ({ id, organization_id }) => sql`
        select (count(*) filter (where import_session_id = ${id}))::integer as lines,
          min(booking_date) filter (where import_session_id = ${id}) as first_day
        from (
          select import_session_id, booking_date from bank_transactions
          where organization_id = ${organization_id} and id in (
            select id from bank_transactions
            where organization_id = ${organization_id} and import_session_id = ${id}
            union
            select (suggestion ->> 'id')::bigint from bank_transactions
            where organization_id = ${organization_id} and import_session_id = ${id}
              and suggestion ->> 'type' = 'transfer')
          order by id for update) held`
    })

    /**
     * Deletes an import with its lines, and the column mapping and account number that only this import provided. Files
     * with the same lines may then be imported again.
     */
    const remove = Effect.fn("BankImportsRepo.remove")(function* ({
      bank_account_id,
      id,
      organization_id
    }: typeof Key.Type) {
      // If a deleted line is part of a suggested transfer, the suggestion is also removed from the other line.
      yield* sql`
        update bank_transactions t
        set suggestion = null, status = case t.status when 'suggested' then 'unmatched' else t.status end,
          updated_at = now(), version = t.version + 1
        from (
          select id, (suggestion ->> 'id')::bigint as other_id from bank_transactions
          where organization_id = ${organization_id} and import_session_id = ${id}
            and suggestion ->> 'type' = 'transfer') gone
        where t.organization_id = ${organization_id} and t.id = gone.other_id
          and t.suggestion ->> 'type' = 'transfer' and (t.suggestion ->> 'id')::bigint = gone.id`
      yield* sql`
        with gone as (
          delete from bank_transactions where organization_id = ${organization_id} and import_session_id = ${id}
          returning id, bank_account_id, booking_date, status)
        insert into deleted_bank_transactions (organization_id, id, bank_account_id, booking_date, status, deleted_at)
        select ${organization_id}, id, bank_account_id, booking_date, status, now() from gone`
      yield* sql`
        with gone as (
          delete from bank_imports where organization_id = ${organization_id} and id = ${id} returning csv_mapping),
        rest as (
          select max(created_at) as last_at,
            (array_agg(csv_mapping order by id desc) filter (where csv_mapping is not null))[1] as csv_mapping
          from bank_imports
          where organization_id = ${organization_id} and bank_account_id = ${bank_account_id} and id <> ${id})
        update bank_accounts a
        set last_imported_at = rest.last_at,
          csv_mapping = case when gone.csv_mapping = a.csv_mapping then rest.csv_mapping else a.csv_mapping end,
          iban = case when a.is_named_by_import and rest.last_at is null then null else a.iban end,
          account_number = case when a.is_named_by_import and rest.last_at is null then null else a.account_number end,
          is_named_by_import = a.is_named_by_import and rest.last_at is not null,
          updated_at = now(), version = a.version + 1
        from gone, rest
        where a.organization_id = ${organization_id} and a.id = ${bank_account_id}`
      yield* sql`
        update bank_imports set is_repeatable = true
        where organization_id = ${organization_id} and bank_account_id = ${bank_account_id}
          and (summary ->> 'duplicates')::integer > 0`
    }, Effect.orDie)

    return {
      find: (key: typeof Key.Type) => find(key).pipe(Effect.map(Option.map(({ record }) => record)), Effect.orDie),
      list,
      ...traced("BankImportsRepo", { lockLines }),
      remove
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

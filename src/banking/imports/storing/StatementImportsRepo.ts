import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Day } from "../../../kernel/Calendar.ts"
import { BankAccountId, BankImportId, BankTransactionId, OrganizationId, type UserId } from "../../../kernel/Ids.ts"
import { jsonRecord } from "../../../kernel/JsonRecord.ts"
import { bigints } from "../../../platform/sql/statements/Columns.ts"
import { thenResting } from "../../Turns.ts"
import type { CsvMapping } from "../../csv/cells/CsvMapping.ts"
import type { PreparedFile } from "../../preparation/Preparations.ts"
import { unpacked } from "../../../platform/storage/PackedText.ts"
import { traced } from "../../../platform/sql/Traced.ts"
import { ImportSession } from "../session/ImportSession.ts"

const Account = Schema.Struct({ organization_id: OrganizationId, bank_account_id: BankAccountId })

const Stored = Schema.Struct({
  /** Number of rows that the account did not have before. */
  imported: Schema.Int,
  suggested: Schema.Int,
  first_day: Schema.NullOr(Day),
  /** New rows that rules with `auto_add` are to book. Their ids are null in a dry run, which stores no rows. */
  booking: Schema.Array(Schema.Struct({ id: Schema.NullOr(BankTransactionId), position: Schema.Int }))
})
export type Stored = typeof Stored.Type

const Twins = Schema.Struct({
  twins: Schema.Int,
  /** Formats of the files from which the account has the lines. */
  formats: Schema.Array(Schema.String),
  /** Positions of the new rows that may be duplicates. */
  positions: Schema.Array(Schema.Int)
})

interface Saved {
  readonly created_by: UserId | null
  /** The mapping that the import stores with the account. */
  readonly mapping: CsvMapping | null
  /** The lines that rules book after the commit. */
  readonly unbooked: ReadonlyArray<BankTransactionId>
  readonly operation: string | null
}

const summaryOf = jsonRecord(ImportSession)

export class StatementImportsRepo extends Context.Service<StatementImportsRepo>()(
  "invoicing/banking/imports/storing/StatementImportsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      /** Finds the import of a file: preferably the one that the given operation made, or else the latest one. */
      const findFile = SqlSchema.findOneOption({
        Request: Schema.Struct({
          ...Account.fields,
          file_sha256: Schema.String,
          operation: Schema.NullOr(Schema.String)
        }),
        Result: Schema.Struct({ summary: ImportSession, is_own: Schema.Boolean }),
        execute: ({ bank_account_id, file_sha256, operation, organization_id }) => sql`
          select summary, coalesce(operation = ${operation}, false) as is_own from bank_imports
          where organization_id = ${organization_id} and bank_account_id = ${bank_account_id}
            and file_sha256 = ${file_sha256} and not is_repeatable
          order by is_own desc, id desc limit 1`
      })

      const key_columns = sql.literal(
        "line_key text, other_keys text[], shared_key text, equal_before integer, stored_texts text[]"
      )

      /**
       * Defines `shared`: the rows of `r` that the account has with the key of an id that several payments have. Only
       * the texts distinguish these payments, so as many stored lines must have the texts as the file has such lines up
       * to this row. The lines are sorted once, because a join may compare each with each other; `is true` prevents
       * such a join, too.
       */
      const withShared = (organization_id: OrganizationId, bank_account_id: BankAccountId) => sql`
        shared as materialized (
          select position from (
            select position, equal_before, sum(stored) over (partition by booking_date, key, texts) as stored from (
              select r.position, r.equal_before, r.booking_date, r.shared_key as key, read.texts, 0 as stored
              from r cross join lateral (select distinct unnest(r.stored_texts) as texts) read
              where r.shared_key is not null
              union all
              select null, null, t.booking_date, split_part(t.line_key, '#', 1),
                format('%s|%s|%s|%s', t.counterparty_name, t.counterparty_iban, t.reference, t.remittance_text), 1
              from bank_transactions t
              where t.organization_id = ${organization_id} and t.bank_account_id = ${bank_account_id}
                and t.booking_date = any(array(select distinct booking_date from r where shared_key is not null))
                and (split_part(t.line_key, '#', 1) in (select shared_key from r where shared_key is not null)) is true
            ) both_sides) counted
          where position is not null
          group by position, equal_before having sum(stored) > equal_before)`

      /**
       * True if the account has the line of the row `r`. Each key is looked up alone: for several keys at once,
       * PostgreSQL reads all lines of the account as long as it has no statistics of the table.
       */
      const isKnown = (organization_id: OrganizationId, bank_account_id: BankAccountId, keys: string) => sql`(
        coalesce((select bool_or(exists (
          select 1 from bank_transactions t
          where t.organization_id = ${organization_id} and t.bank_account_id = ${bank_account_id} and t.line_key = key))
        from unnest(${sql.literal(keys)}) key), false) or r.position in (select position from shared))`

      const decodeTwins = Schema.decodeUnknownEffect(Schema.Tuple([Twins]))

      const file_columns = sql.literal(
        "position integer, booking_date date, amount numeric, counterparty_name text, counterparty_iban text, remittance_text text"
      )

      /**
       * Sends the rows of a file to a table that ends with the transaction. The rows are sent chunk by chunk, because one
       * statement with 20,000 rows would keep the process from other requests for a third of a second.
       */
      const stage = Effect.fnUntraced(function* (chunks: ReadonlyArray<Uint8Array>) {
        yield* sql`create temporary table file_rows (${file_columns}, ${key_columns}) on commit drop`
        for (const chunk of chunks) {
          yield* thenResting(sql`
            insert into file_rows
            select * from json_to_recordset(${unpacked(chunk)}::json) as r (${file_columns}, ${key_columns})`)
        }
      })

      /**
       * Counts the new lines with the same day and amount as a stored line that the file does not contain. A stored line
       * from a CSV file counts for a new line of a CSV file only if both have the same other party, or else the same
       * text. Two files of one other format never count, because their keys do not depend on the rest of the file.
       */
      const twins = Effect.fn("StatementImportsRepo.twins")(function* (
        organization_id: OrganizationId,
        bank_account_id: BankAccountId,
        { chunks, first_day, format, last_day }: Pick<PreparedFile, "chunks" | "first_day" | "format" | "last_day">
      ) {
        const stored = sql`
          bank_transactions t
          join bank_imports i on i.organization_id = t.organization_id and i.id = t.import_session_id
          where t.organization_id = ${organization_id} and t.bank_account_id = ${bank_account_id}
            and t.booking_date between ${first_day}::date and ${last_day}::date`
        const others = yield* sql`
          select 1 as found from ${stored} and (i.summary ->> 'format' <> ${format} or ${format} = 'csv') limit 1`
        if (others.length === 0) return { twins: 0, formats: [], positions: [] }
        const party = sql.literal(`case when coalesce(counterparty_name, counterparty_iban) is null
          then concat('text ', remittance_text) else lower(concat('party ', counterparty_name, counterparty_iban)) end`)
        yield* stage(chunks)
        const found = yield* sql`
          with r as materialized (select * from file_rows),
          ${withShared(organization_id, bank_account_id)},
          file as materialized (
            select position, booking_date, amount, ${party} as party, line_key || other_keys as keys from r),
          keys as materialized (select position, unnest(keys) as key from file),
          stored as materialized (
            select t.booking_date, t.amount, t.line_key, i.summary ->> 'format' as format,
              case when i.summary ->> 'format' = ${format} then ${party} else 'any' end as party
            from ${stored}),
          known as materialized (
            select position, key from keys join stored on stored.line_key = keys.key
            union all select position, null from shared),
          rest as (
            select booking_date, amount, party, count(*) as lines, array_agg(distinct format) as formats from stored
            where (format <> ${format} or ${format} = 'csv')
              and not exists (select 1 from known where known.key = stored.line_key)
            group by booking_date, amount, party),
          fresh as (
            select booking_date, amount, side.party, count(*) as lines, array_agg(position) as positions
            from file cross join lateral (values (file.party), ('any')) side (party)
            where not exists (select 1 from known where known.position = file.position)
            group by booking_date, amount, side.party),
          pairs as (
            select least(fresh.lines, rest.lines) as lines, positions, formats
            from fresh join rest using (booking_date, amount, party))
          select coalesce((select sum(lines) from pairs), 0)::integer as twins,
            array(select distinct unnest(formats) from pairs order by 1) as formats,
            array(select distinct unnest(positions) from pairs order by 1) as positions`
        const [counted] = yield* decodeTwins(found)
        return counted
      }, Effect.orDie)

      const counted = sql.literal(`count(*)::integer as imported,
        (count(*) filter (where status = 'suggested'))::integer as suggested, min(booking_date) as first_day,
        coalesce(json_agg(json_build_object('id', id, 'position', position) order by position)
          filter (where rule_id is not null), '[]') as booking`)

      const nextId = SqlSchema.findOne({
        Request: Schema.Void,
        Result: Schema.Struct({ id: BankImportId }),
        execute: () => sql`select nextval('bank_imports_id_seq') as id`
      })

      const decodeStored = Schema.decodeUnknownEffect(Schema.Tuple([Stored]))

      /** Stores the rows chunk by chunk. In the pauses between them, the database serves other requests. */
      const storeAll = Effect.fnUntraced(function* (
        chunks: ReadonlyArray<Uint8Array>,
        store: (chunk: string) => Effect.Effect<unknown, unknown>
      ) {
        let total: Stored = { imported: 0, suggested: 0, first_day: null, booking: [] }
        for (const chunk of chunks) {
          const [stored] = yield* decodeStored(yield* thenResting(store(unpacked(chunk))))
          const days = [total.first_day, stored.first_day].filter((day) => day !== null).toSorted()
          total = {
            imported: total.imported + stored.imported,
            suggested: total.suggested + stored.suggested,
            first_day: days[0] ?? null,
            booking: [...total.booking, ...stored.booking]
          }
        }
        return total
      })

      /** Inserts those of the rows that the account does not have yet. */
      const insert = Effect.fn("StatementImportsRepo.insert")(function* (
        organization_id: OrganizationId,
        bank_account_id: BankAccountId,
        import_session_id: BankImportId,
        chunks: ReadonlyArray<Uint8Array>
      ) {
        return yield* storeAll(
          chunks,
          (chunk) => sql`
            with r as materialized (
              select * from json_to_recordset(${chunk}::json) as r (position integer, booking_date date,
                value_date date, amount numeric, currency text, counterparty_name text, counterparty_iban text,
                remittance_text text, reference text, ${key_columns}, status text, suggestion jsonb, rule_id bigint)),
            ${withShared(organization_id, bank_account_id)},
            stored as (
              insert into bank_transactions (organization_id, bank_account_id, import_session_id, position, booking_date,
                value_date, amount, currency, counterparty_name, counterparty_iban, remittance_text, reference, line_key,
                status, suggestion)
              select ${organization_id}, ${bank_account_id}, ${import_session_id}, r.position, r.booking_date,
                r.value_date, r.amount, r.currency, r.counterparty_name, r.counterparty_iban, r.remittance_text,
                r.reference, r.line_key, r.status, r.suggestion
              from r where not ${isKnown(organization_id, bank_account_id, "r.other_keys")}
              order by r.position
              on conflict (bank_account_id, line_key) do nothing
              returning id, position, booking_date, status)
            select ${counted} from (select stored.*, r.rule_id from stored join r using (position)) t`
        )
      }, Effect.orDie)

      const countNew = Effect.fn("StatementImportsRepo.countNew")(function* (
        organization_id: OrganizationId,
        bank_account_id: BankAccountId,
        chunks: ReadonlyArray<Uint8Array>
      ) {
        return yield* storeAll(
          chunks,
          (chunk) => sql`
            with r as materialized (
              select * from json_to_recordset(${chunk}::json) as r (position integer, booking_date date,
                ${key_columns}, status text, rule_id bigint)),
            ${withShared(organization_id, bank_account_id)}
            select ${counted} from (
              select null::bigint as id, r.* from r
              where not ${isKnown(organization_id, bank_account_id, "r.line_key || r.other_keys")}) t`
        )
      }, Effect.orDie)

      const save = Effect.fn("StatementImportsRepo.save")(function* (
        organization_id: OrganizationId,
        id: BankImportId,
        session: ImportSession,
        { created_by, mapping, operation, unbooked }: Saved
      ) {
        const { bank_account_id, created_at, file_sha256 } = session
        const summary = yield* summaryOf(session)
        yield* sql`
          insert into bank_imports
            (id, organization_id, bank_account_id, file_sha256, summary, created_by, created_at, operation, csv_mapping,
              unbooked)
          values (${id}, ${organization_id}, ${bank_account_id}, ${file_sha256}, ${sql.json(summary)}, ${created_by},
            ${created_at}::timestamptz, ${operation}, ${mapping === null ? null : sql.json(mapping)},
            ${bigints(unbooked)}::bigint[])`
        yield* sql`
          update bank_accounts set last_imported_at = ${created_at}::timestamptz, updated_at = now(), version = version + 1
          where organization_id = ${organization_id} and id = ${bank_account_id}`
      }, Effect.orDie)

      return {
        ...traced("StatementImportsRepo", { findFile }),
        nextId: nextId().pipe(
          Effect.map(({ id }) => id),
          Effect.orDie
        ),
        twins,
        insert,
        countNew,
        save
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

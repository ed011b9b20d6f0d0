import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Day } from "../../kernel/Calendar.ts"
import {
  BankAccountId,
  BankImportId,
  BankRuleId,
  BankTransactionId,
  OrganizationId,
  type UserId
} from "../../kernel/Ids.ts"
import { inTurn } from "../Turns.ts"
import type { CsvMapping } from "../csv/cells/CsvMapping.ts"
import type { StatementFormat } from "../statements/formats/StatementFile.ts"
import { unpacked } from "../../platform/storage/PackedText.ts"
import { ImportSession } from "./ImportSession.ts"

const Account = Schema.Struct({ organization_id: OrganizationId, bank_account_id: BankAccountId })

const Stored = Schema.Struct({
  /** Number of rows that the account did not have before. */
  imported: Schema.Int,
  suggested: Schema.Int,
  first_day: Schema.NullOr(Day),
  /** New rows that a rule books automatically. Their ids are null in a dry run, which stores no rows. */
  booking: Schema.Array(Schema.Struct({ id: Schema.NullOr(BankTransactionId), rule_id: BankRuleId }))
})
export type Stored = typeof Stored.Type

interface Saved {
  readonly created_by: UserId | null
  /** The mapping that the import stores with the account. */
  readonly mapping: CsvMapping | null
  readonly operation: string | null
}

const encodeSession = Schema.encodeEffect(Schema.toCodecJson(ImportSession))

export class StatementImportsRepo extends Context.Service<StatementImportsRepo>()(
  "invoicing/banking/imports/StatementImportsRepo",
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

      const Twins = Schema.Struct({ twins: Schema.Int, formats: Schema.Array(Schema.String) })
      const decodeTwins = Schema.decodeUnknownEffect(Schema.Tuple([Twins]))

      /** Counts the lines with the same day and amount as a line that was imported from a file in another format. */
      const twins = Effect.fn("StatementImportsRepo.twins")(function* (
        organization_id: OrganizationId,
        bank_account_id: BankAccountId,
        format: StatementFormat,
        chunks: ReadonlyArray<Uint8Array>
      ) {
        const others = yield* sql`
          select 1 as found from bank_imports
          where organization_id = ${organization_id} and bank_account_id = ${bank_account_id}
            and summary ->> 'format' <> ${format} limit 1`
        if (others.length === 0) return { twins: 0, formats: [] }
        const found = yield* sql`
          with file as (
            select booking_date, amount, count(*) as lines
            from json_to_recordset(${joined(chunks)}::json) as r (booking_date date, amount numeric)
            group by booking_date, amount),
          known as (
            select t.booking_date, t.amount, count(*) as lines, array_agg(distinct i.summary ->> 'format') as formats
            from bank_transactions t
            join bank_imports i on i.organization_id = t.organization_id and i.id = t.import_session_id
            where t.organization_id = ${organization_id} and t.bank_account_id = ${bank_account_id}
              and i.summary ->> 'format' <> ${format}
              and t.booking_date between (select min(booking_date) from file) and (select max(booking_date) from file)
            group by t.booking_date, t.amount)
          select coalesce(sum(least(file.lines, known.lines)), 0)::integer as twins,
            coalesce((select array_agg(distinct name) from known k join file using (booking_date, amount), unnest(k.formats) name),
              '{}') as formats
          from file join known using (booking_date, amount)`
        const [counted] = yield* decodeTwins(found)
        return counted
      }, Effect.orDie)

      const counted = sql.literal(`count(*)::integer as imported,
        (count(*) filter (where status = 'suggested'))::integer as suggested, min(booking_date) as first_day,
        coalesce(json_agg(json_build_object('id', id, 'rule_id', rule_id) order by position)
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
          const [stored] = yield* decodeStored(yield* inTurn(store(unpacked(chunk))))
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
                remittance_text text, reference text, line_key text, status text, suggestion jsonb, rule_id bigint)),
            stored as (
              insert into bank_transactions (organization_id, bank_account_id, import_session_id, position, booking_date,
                value_date, amount, currency, counterparty_name, counterparty_iban, remittance_text, reference, line_key,
                status, suggestion)
              select ${organization_id}, ${bank_account_id}, ${import_session_id}, r.position, r.booking_date,
                r.value_date, r.amount, r.currency, r.counterparty_name, r.counterparty_iban, r.remittance_text,
                r.reference, r.line_key, r.status, r.suggestion
              from r order by r.position
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
            select ${counted} from (
              select null::bigint as id, r.* from json_to_recordset(${chunk}::json) as r (position integer,
                booking_date date, line_key text, status text, rule_id bigint)
              where not exists (
                select 1 from bank_transactions t
                where t.organization_id = ${organization_id} and t.bank_account_id = ${bank_account_id}
                  and t.line_key = r.line_key)) t`
        )
      }, Effect.orDie)

      const save = Effect.fn("StatementImportsRepo.save")(function* (
        organization_id: OrganizationId,
        id: BankImportId,
        session: ImportSession,
        { created_by, mapping, operation }: Saved
      ) {
        const { bank_account_id, created_at, file_sha256 } = session
        // Boundary: the JSON codec encodes a struct as an object.
        const summary = (yield* encodeSession(session)) as object
        yield* sql`
          insert into bank_imports
            (id, organization_id, bank_account_id, file_sha256, summary, created_by, created_at, operation, csv_mapping)
          values (${id}, ${organization_id}, ${bank_account_id}, ${file_sha256}, ${sql.json(summary)}, ${created_by},
            ${created_at}::timestamptz, ${operation}, ${mapping === null ? null : sql.json(mapping)})`
        yield* sql`
          update bank_accounts set last_imported_at = ${created_at}::timestamptz, updated_at = now(), version = version + 1
          where organization_id = ${organization_id} and id = ${bank_account_id}`
      }, Effect.orDie)

      const noteBooked = Effect.fn("StatementImportsRepo.noteBooked")(function* (
        organization_id: OrganizationId,
        id: BankImportId,
        { auto_booked, suggested }: Pick<ImportSession, "auto_booked" | "suggested">
      ) {
        yield* sql`
          update bank_imports set summary = summary || ${sql.json({ auto_booked, suggested })}
          where organization_id = ${organization_id} and id = ${id}`
      }, Effect.orDie)

      return {
        findFile: Effect.fn("StatementImportsRepo.findFile")(findFile, Effect.orDie),
        nextId: nextId().pipe(
          Effect.map(({ id }) => id),
          Effect.orDie
        ),
        twins,
        insert,
        countNew,
        save,
        noteBooked
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

const joined = (chunks: ReadonlyArray<Uint8Array>): string =>
  `[${chunks.map((chunk) => unpacked(chunk).slice(1, -1)).join(",")}]`

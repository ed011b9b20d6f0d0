import { PgClient } from "@effect/sql-pg"
import { BigDecimal, Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { BankAccountId, BankImportId, BankTransactionId, OrganizationId, type UserId } from "../../kernel/Ids.ts"
import { inTurn, inTurns } from "../Turns.ts"
import type { AppliedRule } from "../rules/RuleMatcher.ts"
import type { KeyedLine } from "../statements/LineKey.ts"
import type { StatementLine } from "../records/Statement.ts"
import type { StatementFormat } from "../statements/StatementFile.ts"
import { StoredSuggestion } from "../matching/StoredSuggestion.ts"
import type { TransactionStatus } from "../records/TransactionStatus.ts"
import { ImportSession } from "./ImportSession.ts"

const Account = Schema.Struct({ organization_id: OrganizationId, bank_account_id: BankAccountId })
/** Highest number of rows that one statement inserts; they occupy the database for some 8 ms. */
const rows_max = 200

/** A line that is ready to be stored, with its position in the file. */
export interface NewLine extends KeyedLine {
  readonly position: number
  readonly status: TransactionStatus
  readonly suggestion: StoredSuggestion | null
  /** The rule that books the line at once. */
  readonly rule: AppliedRule | null
}

const encodeSuggestion = Schema.encodeEffect(Schema.toCodecJson(StoredSuggestion))
const rowOf = ({ identity, line, occurrence, position, status, suggestion: own }: NewLine) =>
  Effect.map(own === null ? Effect.succeed(null) : encodeSuggestion(own), (suggestion) => ({
    ...line,
    amount: BigDecimal.format(line.amount),
    position,
    identity,
    occurrence,
    status,
    suggestion
  }))
const encodeSession = Schema.encodeEffect(Schema.toCodecJson(ImportSession))

/** Every statement names the organization, so none can read or write across tenants. */
export class StatementImportsRepo extends Context.Service<StatementImportsRepo>()(
  "invoicing/banking/imports/StatementImportsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      /** Finds the import of a file by this operation, or else its latest import. */
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

      /** Counts the lines whose day and amount the account has from a file of another format. */
      const twins = Effect.fn("StatementImportsRepo.twins")(function* (
        organization_id: OrganizationId,
        bank_account_id: BankAccountId,
        format: StatementFormat,
        lines: ReadonlyArray<Pick<StatementLine, "booking_date" | "amount">>
      ) {
        const others = yield* sql`
          select 1 as found from bank_imports
          where organization_id = ${organization_id} and bank_account_id = ${bank_account_id}
            and summary ->> 'format' <> ${format} limit 1`
        if (others.length === 0) return { twins: 0, formats: [] }
        const figures = lines.map(({ amount, booking_date }) => ({ booking_date, amount: BigDecimal.format(amount) }))
        const found = yield* sql`
          with file as (
            select booking_date, amount, count(*) as lines
            from jsonb_to_recordset(${sql.json(figures)}) as r (booking_date date, amount numeric)
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

      const nextId = SqlSchema.findOne({
        Request: Schema.Void,
        Result: Schema.Struct({ id: BankImportId }),
        execute: () => sql`select nextval('bank_imports_id_seq') as id`
      })

      const Inserted = Schema.Array(Schema.Struct({ id: BankTransactionId, position: Schema.Int }))
      const decodeInserted = Schema.decodeUnknownEffect(Inserted)

      /** Inserts the lines that the account does not have; answers their ids and their positions in the file. */
      const insert = Effect.fn("StatementImportsRepo.insert")(function* (
        organization_id: OrganizationId,
        bank_account_id: BankAccountId,
        import_session_id: BankImportId,
        lines: ReadonlyArray<NewLine>
      ) {
        const inserted: Array<(typeof Inserted.Type)[number]> = []
        for (let start = 0; start < lines.length; start += rows_max) {
          const rows = yield* inTurns(lines.slice(start, start + rows_max), rowOf)
          const written = yield* inTurn(sql`
            insert into bank_transactions (organization_id, bank_account_id, import_session_id, position, booking_date,
              value_date, amount, currency, counterparty_name, counterparty_iban, remittance_text, reference, line_key,
              status, suggestion)
            select ${organization_id}, ${bank_account_id}, ${import_session_id}, r.position, r.booking_date, r.value_date,
              r.amount, r.currency, r.counterparty_name, r.counterparty_iban, r.remittance_text, r.reference,
              encode(sha256(convert_to(r.identity, 'UTF8')), 'hex') || '#' || r.occurrence, r.status,
              nullif(r.suggestion, 'null'::jsonb)
            from jsonb_to_recordset(${sql.json(rows)}) as r (position integer, booking_date date, value_date date,
              amount numeric, currency text, counterparty_name text, counterparty_iban text, remittance_text text,
              reference text, identity text, occurrence integer, status text, suggestion jsonb)
            order by r.position
            on conflict (bank_account_id, line_key) do nothing
            returning id, position`)
          inserted.push(...(yield* decodeInserted(written)))
        }
        return inserted
      }, Effect.orDie)

      /** Answers the positions of the lines that the account does not have, without inserting them. */
      const positionsNew = Effect.fn("StatementImportsRepo.positionsNew")(function* (
        organization_id: OrganizationId,
        bank_account_id: BankAccountId,
        lines: ReadonlyArray<NewLine>
      ) {
        const rows = lines.map(({ identity, occurrence, position }) => ({ identity, occurrence, position }))
        const found = yield* sql`
          select 1 as id, r.position
          from jsonb_to_recordset(${sql.json(rows)}) as r (position integer, identity text, occurrence integer)
          where not exists (
            select 1 from bank_transactions t
            where t.organization_id = ${organization_id} and t.bank_account_id = ${bank_account_id}
              and t.line_key = encode(sha256(convert_to(r.identity, 'UTF8')), 'hex') || '#' || r.occurrence)`
        return yield* decodeInserted(found)
      }, Effect.orDie)

      const save = Effect.fn("StatementImportsRepo.save")(function* (
        organization_id: OrganizationId,
        id: BankImportId,
        session: ImportSession,
        { created_by, operation }: { readonly created_by: UserId | null; readonly operation: string | null }
      ) {
        const { bank_account_id, created_at, file_sha256 } = session
        // Boundary: the JSON codec encodes a struct as an object.
        const summary = (yield* encodeSession(session)) as object
        yield* sql`
          insert into bank_imports
            (id, organization_id, bank_account_id, file_sha256, summary, created_by, created_at, operation)
          values (${id}, ${organization_id}, ${bank_account_id}, ${file_sha256}, ${sql.json(summary)}, ${created_by},
            ${created_at}::timestamptz, ${operation})`
        yield* sql`
          update bank_accounts set last_imported_at = ${created_at}::timestamptz, updated_at = now(), version = version + 1
          where organization_id = ${organization_id} and id = ${bank_account_id}`
      }, Effect.orDie)

      /** Corrects the stored session after rules have booked lines. */
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
        positionsNew,
        save,
        noteBooked
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { Timestamp } from "../../kernel/Calendar.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { jsonRecord } from "../../kernel/JsonRecord.ts"
import { Deposit, DepositKey } from "./Deposit.ts"
import { traced } from "../../platform/sql/Traced.ts"

const OverdueDeposit = Schema.Struct({ ...DepositKey.fields, ordered_at: Timestamp })
export type OverdueDeposit = typeof OverdueDeposit.Type

/** Sorts before all deposits. */
export const beginning: OverdueDeposit = {
  organization_id: OrganizationId.make(1),
  document_type: "credit_note",
  document_id: 0,
  ordered_at: Timestamp.make("1900-01-01T00:00:00.000Z")
}

export class DepositsRepo extends Context.Service<DepositsRepo>()("invoicing/archive/deposits/DepositsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const own = ({ document_id, document_type, organization_id }: typeof DepositKey.Encoded) =>
      sql`organization_id = ${organization_id} and document_type = ${document_type} and document_id = ${document_id}`

    const columnsOf = jsonRecord(Schema.toType(Schema.Struct(Struct.omit(Deposit.fields, ["print"]))))

    const insert = Effect.fn("DepositsRepo.insert")(function* (deposit: Deposit) {
      const { print, ...facts } = deposit
      const row = { ...(yield* columnsOf(facts)), print }
      yield* sql`
        insert into archive_deposits
        select * from jsonb_populate_record(null::archive_deposits, ${sql.json(row)}::jsonb)`
    }, Effect.orDie)

    const select = (locking: "" | "for update") =>
      SqlSchema.findOneOption({
        Request: DepositKey,
        Result: Deposit,
        execute: (key) => sql`
          select organization_id, document_type, document_id, number, counterparty_name, issue_date, amount, currency,
            ordered_at, print
          from archive_deposits where ${own(key)} ${sql.literal(locking)}`
      })

    const remove = Effect.fn("DepositsRepo.remove")(function* (key: DepositKey) {
      yield* sql`delete from archive_deposits where ${own(key)}`
    }, Effect.orDie)

    const setAside = SqlSchema.void({
      Request: Schema.Struct({ ...DepositKey.fields, set_aside_at: Timestamp }),
      execute: ({ set_aside_at, ...key }) => sql`
        update archive_deposits set set_aside_at = ${set_aside_at}::timestamptz where ${own(key)}`
    })

    const isArchived = SqlSchema.findOne({
      Request: Schema.Struct({ ...DepositKey.fields, number: Schema.String }),
      Result: Schema.Struct({ archived: Schema.Boolean }),
      execute: ({ number, ...key }) => sql`
        select exists (select from archive_objects where ${own(key)} and number = ${number}) as archived`
    })

    const archived = SqlSchema.findOneOption({
      Request: DepositKey,
      Result: Schema.Struct(Struct.omit(Deposit.fields, ["organization_id", "ordered_at", "print"])),
      execute: (key) => sql`
        select document_type, document_id, number, counterparty_name, issue_date, amount, currency
        from archive_objects where ${own(key)} and object_kind = 'pdf' order by position desc limit 1`
    })

    const attached = SqlSchema.findAll({
      Request: DepositKey,
      Result: Schema.Struct({ sha256: Schema.String }),
      execute: (key) => sql`select sha256 from archive_objects where ${own(key)} and object_kind = 'attachment'`
    })

    /** Finds overdue deposits of all organizations, the oldest first, except those that were set aside. */
    const overdue = SqlSchema.findAll({
      Request: Schema.Struct({ ordered_before: Timestamp, after: OverdueDeposit, limit: Schema.Int }),
      Result: OverdueDeposit,
      execute: ({ after, limit, ordered_before }) => sql`
        select organization_id, document_type, document_id, ordered_at from archive_deposits
        where ordered_at < ${ordered_before}::timestamptz and set_aside_at is null
          and (ordered_at, organization_id, document_type, document_id)
            > (${after.ordered_at}::timestamptz, ${after.organization_id}, ${after.document_type}, ${after.document_id})
        order by ordered_at, organization_id, document_type, document_id limit ${limit}`
    })

    return {
      ...traced("DepositsRepo", { find: select(""), lock: select("for update"), setAside, archived, overdue }),
      insert,
      remove,
      isArchived: Effect.fn("DepositsRepo.isArchived")(
        isArchived,
        Effect.map(({ archived }) => archived),
        Effect.orDie
      ),
      attached: Effect.fn("DepositsRepo.attached")(
        attached,
        Effect.map((rows) => new Set(rows.map(({ sha256 }) => sha256))),
        Effect.orDie
      )
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { BankImportId, BankRuleId, BankTransactionId, OrganizationId } from "../../../kernel/Ids.ts"
import { bigints } from "../../../platform/sql/statements/Columns.ts"
import { traced } from "../../../platform/sql/Traced.ts"
import type { Booked } from "./AutoBooking.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, id: BankImportId })

export class AutoBookingRepo extends Context.Service<AutoBookingRepo>()(
  "invoicing/banking/imports/storing/AutoBookingRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      // A line that a user has matched or unmatched since the import is no longer left to its rule.
      const unbooked = SqlSchema.findAll({
        Request: Key,
        Result: Schema.Struct({ id: BankTransactionId, rule_id: BankRuleId, version: Schema.Int }),
        execute: ({ id, organization_id }) => sql`
          select t.id, (t.suggestion ->> 'id')::bigint as rule_id, t.version
          from bank_imports i cross join lateral unnest(i.unbooked) with ordinality as line (id, place)
          join bank_transactions t on t.organization_id = i.organization_id and t.id = line.id
          where i.organization_id = ${organization_id} and i.id = ${id}
            and t.status = 'suggested' and t.suggestion ->> 'type' = 'rule'
            and not exists (
              select from bank_matches m
              where m.organization_id = i.organization_id and m.bank_transaction_id = t.id)
          order by line.place`
      })

      /** Adds what was booked to the summary of the import, and keeps the ids of the lines that are left. */
      const note = Effect.fn("AutoBookingRepo.note")(function* (
        { id, organization_id }: typeof Key.Type,
        { auto_booked, warnings }: Booked,
        left: ReadonlyArray<BankTransactionId>
      ) {
        const warned = sql`jsonb_build_object('warnings',
          coalesce(summary -> 'warnings', '[]') || ${JSON.stringify(warnings)}::jsonb)`
        yield* sql`
          update bank_imports set unbooked = ${bigints(left)}::bigint[],
            summary = summary || jsonb_build_object(
              'auto_booked', (summary ->> 'auto_booked')::integer + ${auto_booked}::integer,
              'suggested', (summary ->> 'suggested')::integer - ${auto_booked}::integer)
              ${warnings.length === 0 ? sql`` : sql`|| ${warned}`}
          where organization_id = ${organization_id} and id = ${id}`
      }, Effect.orDie)

      return {
        ...traced("AutoBookingRepo", {
          /** Returns the lines of an import that rules are still to book, with their rules. */
          unbooked
        }),
        note
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { BankRuleId, OrganizationId } from "../../kernel/Ids.ts"
import { auditedTable } from "../../platform/events/AuditedTable.ts"
import { columnsOf } from "../../platform/sql/statements/Columns.ts"
import { BankRule } from "./BankRule.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, id: BankRuleId })

/** A rule for matching. Its conditions stay JSON text here, because decoding up to 10,000 conditions takes long. */
const ActiveRule = Schema.Struct({
  ...Struct.pick(BankRule.fields, ["id", "bank_account_id", "direction", "actions", "auto_add", "priority"]),
  conditions: Schema.String,
  conditions_count: Schema.Int
})
export type ActiveRule = typeof ActiveRule.Type

const encodeConditions = Schema.encodeEffect(
  Schema.fromJsonString(Schema.toCodecJson(Schema.toType(BankRule.fields.conditions)))
)

/** Encodes a rule that is not stored as if it were read for matching. */
export const asActive = Effect.fnUntraced(function* (rule: BankRule) {
  const conditions = yield* Effect.orDie(encodeConditions(rule.conditions))
  const active: ActiveRule = { ...rule, conditions, conditions_count: rule.conditions.length }
  return active
})

/** A new rule; `operation` identifies the keyed request that creates it. */
const NewRule = Schema.Struct({ ...BankRule.fields, operation: Schema.NullOr(Schema.String) })

export const rules_max = 500

export class BankRulesRepo extends Context.Service<BankRulesRepo>()("invoicing/banking/rules/BankRulesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const { insert } = yield* auditedTable("bank_rules", NewRule)
    const { remove, save } = yield* auditedTable("bank_rules", BankRule)

    const columns = sql.literal(columnsOf("bank_rules", BankRule.fields))

    const select = (locking: "" | "for update") =>
      SqlSchema.findOneOption({
        Request: Key,
        Result: BankRule,
        execute: ({ id, organization_id }) => sql`
          select ${columns} from bank_rules
          where organization_id = ${organization_id} and id = ${id} and deleted_at is null ${sql.literal(locking)}`
      })

    const findOperation = SqlSchema.findOneOption({
      Request: Schema.Struct({ organization_id: OrganizationId, operation: Schema.String }),
      Result: BankRule,
      execute: ({ operation, organization_id }) => sql`
        select ${columns} from bank_rules where organization_id = ${organization_id} and operation = ${operation}`
    })

    const all = SqlSchema.findAll({
      Request: Schema.Struct({ organization_id: OrganizationId }),
      Result: BankRule,
      execute: ({ organization_id }) => sql`
        select ${columns} from bank_rules where organization_id = ${organization_id} and deleted_at is null
        order by priority, id limit ${rules_max}`
    })

    // The lock makes concurrent requests count an organization's rules one after the other.
    const lockCreation = SqlSchema.void({
      Request: OrganizationId,
      execute: (organization_id) =>
        sql`select pg_advisory_xact_lock(hashtextextended(${`bank_rules:${organization_id}`}, 0))`
    })

    const count = SqlSchema.findOne({
      Request: Schema.Struct({ organization_id: OrganizationId }),
      Result: Schema.Struct({ count: Schema.Int }),
      execute: ({ organization_id }) => sql`
        select count(*)::integer as count from bank_rules
        where organization_id = ${organization_id} and deleted_at is null`
    })

    // A rule whose customer was deleted cannot make a document, so it applies to nothing.
    const active = SqlSchema.findAll({
      Request: Schema.Struct({ organization_id: OrganizationId }),
      Result: ActiveRule,
      execute: ({ organization_id }) => sql`
        select id, bank_account_id, direction, actions, auto_add, priority, conditions::text as conditions,
          jsonb_array_length(conditions) as conditions_count
        from bank_rules
        where organization_id = ${organization_id} and is_active and deleted_at is null
          and (actions ->> 'counterparty_id' is null
            or exists (
              select from debtors d
              where d.organization_id = ${organization_id} and d.id = (actions ->> 'counterparty_id')::bigint and active)
            or exists (
              select from counterparties c
              where c.organization_id = ${organization_id} and c.id = (actions ->> 'counterparty_id')::bigint
                and is_vendor))
        order by priority, id limit ${rules_max}`
    })

    const nextId = SqlSchema.findOne({
      Request: Schema.Void,
      Result: Schema.Struct({ id: BankRuleId }),
      execute: () => sql`select nextval('bank_rules_id_seq') as id`
    })

    return {
      ...traced("BankRulesRepo", {
        find: select(""),
        lock: select("for update"),
        /** Finds the rule that an earlier attempt of the same request created, even if it was deleted since. */
        findOperation,
        all,
        active,
        lockCreation,
        count
      }),
      nextId: nextId().pipe(
        Effect.map(({ id }) => id),
        Effect.orDie
      ),
      insert,
      save,
      remove
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { OrganizationId } from "../../../kernel/Ids.ts"

const accounts_max = 200

/**
 * Reads the numbers of the organization's bank accounts, which a direct debit prints, and which are not the vendor's. An
 * account without four digits is left out, because its number may be the name of a vendor, such as "PAYPAL".
 */
export class OwnAccountsRepo extends Context.Service<OwnAccountsRepo>()(
  "invoicing/expenses/receipts/reading/OwnAccountsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const find = SqlSchema.findAll({
        Request: OrganizationId,
        Result: Schema.Struct({ number: Schema.String }),
        execute: (organization_id) => sql`
          select coalesce(iban, account_number) as number from bank_accounts
          where organization_id = ${organization_id} and coalesce(iban, account_number) ~ '([0-9][^0-9]*){4}'
          order by id desc limit ${accounts_max}`
      })

      const numbers = Effect.fn("OwnAccountsRepo.numbers")(function* (organization_id: OrganizationId) {
        return (yield* find(organization_id)).map(({ number }) => number)
      }, Effect.orDie)

      return { numbers }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

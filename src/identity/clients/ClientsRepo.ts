import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { ClientId } from "../../kernel/Ids.ts"
import { Client } from "./Client.ts"

const SecretHash = Schema.NullOr(Schema.Uint8Array)

const { confidential: _, ...stored } = Client.fields

export class ClientsRepo extends Context.Service<ClientsRepo>()("invoicing/identity/clients/ClientsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(
      "id, name, first_party, secret_hash is not null as confidential, password_grant, redirect_uris, scopes"
    )

    const insert = SqlSchema.findOne({
      Request: Schema.Struct({ ...stored, secret_hash: SecretHash }),
      Result: Client,
      execute: (row) => sql`insert into clients ${sql.insert(row)} returning ${columns}`
    })
    const find = SqlSchema.findOneOption({
      Request: ClientId,
      Result: Client,
      execute: (id) => sql`select ${columns} from clients where id = ${id}`
    })
    const findWithSecret = SqlSchema.findOneOption({
      Request: ClientId,
      Result: Schema.Struct({ ...Client.fields, secret_hash: SecretHash }),
      execute: (id) => sql`select ${columns}, secret_hash from clients where id = ${id}`
    })
    const setSecret = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: ClientId, secret_hash: Schema.Uint8Array }),
      Result: Client,
      execute: ({ id, secret_hash }) => sql`
        update clients set secret_hash = ${secret_hash} where id = ${id} and secret_hash is not null
        returning ${columns}`
    })

    const list = SqlSchema.findAll({
      Request: Schema.Struct({ limit: Schema.Int, offset: Schema.Int }),
      Result: Client,
      execute: ({ limit, offset }) => sql`
        select ${columns} from clients order by created_at desc, id limit ${limit} offset ${offset}`
    })
    const count = SqlSchema.findOne({
      Request: Schema.Void,
      Result: Schema.Struct({ total: Schema.Int }),
      execute: () => sql`select count(*) as total from clients`
    })

    return {
      insert: Effect.fn("ClientsRepo.insert")(insert, Effect.orDie),
      find: Effect.fn("ClientsRepo.find")(find, Effect.orDie),
      findWithSecret: Effect.fn("ClientsRepo.findWithSecret")(findWithSecret, Effect.orDie),
      list: Effect.fn("ClientsRepo.list")(list, Effect.orDie),
      count: Effect.fn("ClientsRepo.count")(count, Effect.orDie),
      setSecret: Effect.fn("ClientsRepo.setSecret")(setSecret, Effect.orDie)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

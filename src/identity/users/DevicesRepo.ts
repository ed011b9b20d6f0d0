import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { UserId } from "../../kernel/Ids.ts"
import { hasAddress } from "./UsersRepo.ts"
import { traced } from "../../platform/sql/Traced.ts"

/** Days for which a device is known after its last login. */
export const device_days = 180
/** A device is revoked after this number of wrong passwords since its last login. */
const failures_max = 10

const DeviceOfUser = Schema.Struct({ hash: Schema.Uint8Array, user_id: UserId })

export class DevicesRepo extends Context.Service<DevicesRepo>()("invoicing/identity/users/DevicesRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const live = sql`d.failures < ${failures_max} and d.expires_at > now()`
    const expiry = sql`now() + make_interval(days => ${device_days})`

    const insert = SqlSchema.void({
      Request: DeviceOfUser,
      execute: ({ hash, user_id }) =>
        sql`insert into login_devices (hash, user_id, expires_at) values (${hash}, ${user_id}, ${expiry})`
    })
    /** Returns no row if the device is revoked, expired or unknown to this user. */
    const renew = SqlSchema.findOneOption({
      Request: DeviceOfUser,
      Result: Schema.Struct({ user_id: UserId }),
      execute: ({ hash, user_id }) => sql`
        update login_devices d set failures = 0, expires_at = ${expiry}
        where d.hash = ${hash} and d.user_id = ${user_id} and ${live}
        returning d.user_id`
    })
    /** Counts an attempt as failed. This is a single SQL statement, so parallel attempts wait for each other. */
    const attempt = SqlSchema.findOneOption({
      Request: Schema.Struct({ hash: Schema.Uint8Array, email: Schema.String }),
      Result: Schema.Struct({ user_id: UserId }),
      execute: ({ email, hash }) => sql`
        update login_devices d set failures = d.failures + 1
        from users u
        where d.hash = ${hash} and ${live} and u.id = d.user_id and ${hasAddress(sql, email)}
        returning d.user_id`
    })
    const takeBack = SqlSchema.void({
      Request: Schema.Uint8Array,
      execute: (hash) => sql`update login_devices set failures = failures - 1 where hash = ${hash} and failures > 0`
    })

    return traced("DevicesRepo", { insert, renew, attempt, takeBack })
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

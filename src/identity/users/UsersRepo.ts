import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { addressSpellings } from "../../platform/mail/AddressSpelling.ts"
import { User } from "./User.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Insertion = Schema.Struct({
  name: Schema.String,
  email: Schema.String,
  superadmin: Schema.Boolean,
  password_hash: Schema.NullOr(Schema.String)
})

const Password = Schema.Struct({ id: UserId, password_hash: Schema.String })

/** Condition on a user's address. Earlier versions stored the domain of an address as it was sent (`readableAddress`). */
export const hasAddress = (sql: SqlClient.SqlClient, email: string) =>
  sql.or(addressSpellings(email).map((spelling) => sql`lower(email) = lower(${spelling})`))

export class UsersRepo extends Context.Service<UsersRepo>()("invoicing/identity/users/UsersRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(
      `id, name, email, superadmin, primary_organization_id, password_hash is not null as has_password,
       exists (select from second_factors f where f.user_id = users.id and f.confirmed_at is not null) as second_factor,
       language, disabled_at`
    )

    /** Two accounts of earlier versions may differ only in the spelling of the address: the one as typed is meant. */
    const withAddress = (email: string) => sql`
      id = (select id from users where ${hasAddress(sql, email)} order by lower(email) = lower(${email}) desc limit 1)`

    /** Returns no row if the address is taken. */
    const insert = SqlSchema.findOneOption({
      Request: Insertion,
      Result: User,
      execute: ({ email, name, password_hash, superadmin }) => sql`
        insert into users (name, email, superadmin, password_hash)
        select ${name}, ${email}, ${superadmin}, ${password_hash}
        where not exists (select from users where ${hasAddress(sql, email)})
        on conflict (lower(email)) do nothing returning ${columns}`
    })
    const find = SqlSchema.findOneOption({
      Request: UserId,
      Result: User,
      execute: (id) => sql`select ${columns} from users where id = ${id}`
    })
    const findByEmail = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: User,
      execute: (email) => sql`select ${columns} from users where ${withAddress(email)}`
    })
    const findLogin = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: Schema.Struct({ ...User.fields, password_hash: Schema.NullOr(Schema.String) }),
      execute: (email) => sql`select ${columns}, password_hash from users where ${withAddress(email)}`
    })
    const lock = SqlSchema.findOne({
      Request: UserId,
      Result: Schema.Struct({ disabled: Schema.Boolean, password_hash: Schema.NullOr(Schema.String) }),
      // `for update` would also block inserts of rows that refer to the user.
      execute: (id) => sql`
        select disabled_at is not null as disabled, password_hash from users where id = ${id} for no key update`
    })
    /**
     * Replaces the stored hash of a password by a hash of the same password that was made with newer parameters. Returns
     * no row if the password was changed meanwhile.
     */
    const rehash = SqlSchema.findOneOption({
      Request: Schema.Struct({ ...Password.fields, stored: Schema.String }),
      Result: Schema.Struct({ id: UserId }),
      execute: ({ id, password_hash, stored }) => sql`
        update users set password_hash = ${password_hash} where id = ${id} and password_hash = ${stored} returning id`
    })
    /**
     * Stores another password. Ends every browser session, authorization code, known device and change of address of
     * the user, and drops a second factor that was never confirmed: somebody else may know its secret.
     */
    const setPassword = SqlSchema.void({
      Request: Password,
      execute: ({ id, password_hash }) => sql`
        with ended as (update sessions set revoked_at = now() where user_id = ${id} and revoked_at is null),
          codes as (update authorization_codes set used_at = now() where user_id = ${id} and used_at is null),
          forgotten as (delete from login_devices where user_id = ${id}),
          factors as (delete from second_factors where user_id = ${id} and confirmed_at is null),
          changes as (update email_changes set used_at = now() where user_id = ${id} and used_at is null)
        update users set password_hash = ${password_hash}, updated_at = now() where id = ${id}`
    })
    const setName = SqlSchema.void({
      Request: Schema.Struct({ id: UserId, name: Schema.String }),
      execute: ({ id, name }) => sql`update users set name = ${name}, updated_at = now() where id = ${id}`
    })
    /** Stores the browser's language if the user has none, or has logged in with this browser before. */
    const keepLanguage = SqlSchema.void({
      Request: Schema.Struct({ id: UserId, language: Schema.String, known: Schema.Boolean }),
      execute: ({ id, known, language }) => sql`
        update users set language = ${language}
        where id = ${id} and (language is null or (${known} and language <> ${language}))`
    })
    const setPrimaryOrganization = SqlSchema.void({
      Request: Schema.Struct({ id: UserId, organization_id: OrganizationId }),
      execute: ({ id, organization_id }) =>
        sql`update users set primary_organization_id = ${organization_id}, updated_at = now() where id = ${id}`
    })

    /** Ends every browser session, device and password link of the user, including those of a concurrent login. */
    const setDisabled = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: UserId, disabled: Schema.Boolean }),
      Result: User,
      execute: ({ disabled, id }) => sql`
        with ended as (
          update sessions set revoked_at = now() where user_id = ${id} and revoked_at is null),
        forgotten as (delete from login_devices where user_id = ${id}),
        links as (update password_resets set used_at = now() where user_id = ${id} and used_at is null),
        changes as (update email_changes set used_at = now() where user_id = ${id} and used_at is null)
        update users set disabled_at = case when ${disabled} then coalesce(disabled_at, now()) end, updated_at = now()
        where id = ${id} returning ${columns}`
    })
    const search = Schema.Struct({ search: Schema.String })
    const found = (text: string) => sql`strpos(lower(name || ' ' || email), lower(${text})) > 0`
    const list = SqlSchema.findAll({
      Request: Schema.Struct({ ...search.fields, limit: Schema.Int, offset: Schema.Int }),
      Result: User,
      execute: ({ limit, offset, search }) => sql`
        select ${columns} from users where ${found(search)} order by id desc limit ${limit} offset ${offset}`
    })
    const count = SqlSchema.findOne({
      Request: search,
      Result: Schema.Struct({ total: Schema.Int }),
      execute: ({ search }) => sql`select count(*)::integer as total from users where ${found(search)}`
    })

    const setSuperadmin = SqlSchema.findOneOption({
      Request: Schema.Struct({ email: Schema.String, superadmin: Schema.Boolean }),
      Result: User,
      execute: ({ email, superadmin }) => sql`
        update users set superadmin = ${superadmin}, updated_at = now() where ${withAddress(email)}
        returning ${columns}`
    })

    return traced("UsersRepo", {
      insert,
      find,
      findByEmail,
      findLogin,
      /** Locks the user's row. Every change of a user's tokens, and every login, takes this lock. */
      lock,
      rehash,
      setPassword,
      setName,
      setPrimaryOrganization,
      keepLanguage,
      setDisabled,
      list,
      count,
      setSuperadmin
    })
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

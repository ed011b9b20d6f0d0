import { Context, Effect, type FileSystem, Layer, Option, type Path, type PlatformError, Redacted } from "effect"
import type { ClientDraft } from "../identity/clients/Client.ts"
import { Clients } from "../identity/clients/Clients.ts"
import { Users } from "../identity/users/Users.ts"
import { Organizations } from "../organizations/Organizations.ts"
import { AppConfig, publicUrl } from "../platform/config/AppConfig.ts"
import { newToken } from "../platform/crypto/Opaque.ts"
import { Database } from "../platform/sql/Database.ts"
import { demoClients, demoOrganizations, demoSuperadmin } from "./DemoData.ts"
import { type DemoFacts, readDemoFacts, writeDemoFacts } from "./DemoFacts.ts"
import { DemoOrganizations } from "./DemoOrganizations.ts"

/** Fills an empty database on the first start, so that all features can be tried. */
export class Demo extends Context.Service<
  Demo,
  {
    /**
     * Seeds a database without organizations, or finds the demo of an earlier start. None if the database has other
     * data.
     */
    readonly seed: Effect.Effect<Option.Option<DemoFacts>, PlatformError.PlatformError>
  }
>()("invoicing/demo/Demo") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const config = yield* AppConfig
      const clients = yield* Clients
      const users = yield* Users
      const organizations = yield* Organizations
      const demoOrganization = yield* DemoOrganizations
      const { transaction } = yield* Database
      const place = yield* Effect.context<FileSystem.FileSystem | Path.Path>()

      const base_url = publicUrl(config)
      const configuredToken = Option.map(config.adminToken, Redacted.value)

      const addClient = Effect.fnUntraced(function* (draft: ClientDraft) {
        const { client, secret } = yield* clients.create(draft)
        const { first_party, id, name, redirect_uris } = client
        const client_secret = Option.getOrNull(Option.map(secret, Redacted.value))
        return { client_id: id, client_secret, name, first_party, redirect_uris }
      })

      /** The password is random, because a known one would open every demo on the internet. */
      const addSuperadmin = Effect.gen(function* () {
        const password = yield* newToken("demo")
        const { email } = yield* users
          .create({ ...demoSuperadmin, superadmin: true }, Redacted.make(password))
          .pipe(Effect.catchTags({ PasswordUnacceptable: Effect.die, PasswordsBusy: Effect.die }))
        return { email, password }
      })

      // The credentials file is written before the commit, so that a demo in the database never lacks its credentials.
      const create = Effect.gen(function* () {
        const opened = yield* Effect.forEach(demoOrganizations, demoOrganization.open)
        const facts: DemoFacts = {
          base_url,
          admin_token: Option.isSome(configuredToken) ? configuredToken.value : yield* newToken("adm"),
          superadmin: yield* addSuperadmin,
          users: opened.flatMap(({ users }) => users),
          organizations: opened.map(({ organization }) => organization),
          clients: yield* Effect.forEach(demoClients, addClient)
        }
        yield* writeDemoFacts(config.dataDir, facts)
        return facts
      }).pipe(transaction)

      /** True if the credentials file belongs to this database; it may be left over from another database. */
      const isOurs = Effect.fnUntraced(function* ({ users: [first] }: DemoFacts) {
        if (first === undefined) return false
        const user = yield* users.findByEmail(first.email)
        return Option.exists(user, ({ id }) => id === first.id)
      })

      const find = Effect.gen(function* () {
        const found = yield* readDemoFacts(config.dataDir)
        if (Option.isNone(found) || !(yield* isOurs(found.value))) return Option.none()
        const { admin_token, ...rest } = found.value
        const facts = { ...rest, base_url, admin_token: Option.getOrElse(configuredToken, () => admin_token) }
        yield* writeDemoFacts(config.dataDir, facts)
        return Option.some(facts)
      })

      const seed = Effect.gen(function* () {
        const { total } = yield* organizations.listAll({ per_page: 1 })
        if (total > 0) return yield* find
        // If the email address is taken, another process has seeded the demo at the same moment.
        return yield* Effect.asSome(create).pipe(Effect.catchTag("EmailTaken", () => find))
      }).pipe(Effect.provide(place), Effect.withSpan("Demo.seed"))

      return Demo.of({ seed })
    })
  ).pipe(Layer.provide([Clients.layer, Users.layer, Organizations.layer, DemoOrganizations.layer]))
}

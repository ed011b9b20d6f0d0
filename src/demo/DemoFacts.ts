import { Effect, FileSystem, Path, Schema, Struct } from "effect"
import { NamedCustomer } from "../customers/Customer.ts"
import { Client } from "../identity/clients/Client.ts"
import { OrganizationId, UserId } from "../kernel/Ids.ts"
import { Role } from "../kernel/Role.ts"
import { newToken } from "../platform/crypto/Opaque.ts"

const owner_only = 0o600

/** All credentials of the demo, which are stored in `DATA_DIR/demo.json`. */
export const DemoFacts = Schema.Struct({
  base_url: Schema.String,
  admin_token: Schema.String,
  /** The administrator of the installation. */
  superadmin: Schema.Struct({ email: Schema.String, password: Schema.String }),
  users: Schema.Array(
    Schema.Struct({
      id: UserId,
      name: Schema.String,
      email: Schema.String,
      password: Schema.String,
      organization_id: OrganizationId,
      role: Role,
      token: Schema.String
    })
  ),
  organizations: Schema.Array(
    Schema.Struct({
      id: OrganizationId,
      name: Schema.String,
      country: Schema.String,
      currency: Schema.String,
      token: Schema.String,
      customers: Schema.Array(NamedCustomer)
    })
  ),
  clients: Schema.Array(
    Schema.Struct({
      client_id: Client.fields.id,
      client_secret: Schema.NullOr(Schema.String),
      ...Struct.pick(Client.fields, ["name", "first_party", "redirect_uris"])
    })
  )
})
export type DemoFacts = typeof DemoFacts.Type

const Content = Schema.fromJsonString(DemoFacts)

export const demoFile = (dataDir: string): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (path) => path.join(dataDir, "demo.json"))

/** Returns none when the folder has no demo, or when another version wrote its file. */
export const readDemoFacts = Effect.fn("readDemoFacts")(function* (dataDir: string) {
  const files = yield* FileSystem.FileSystem
  return yield* files
    .readFileString(yield* demoFile(dataDir))
    .pipe(Effect.flatMap(Schema.decodeEffect(Content)), Effect.option)
})

/** Replaces the file atomically, so that concurrent readers and writers never see an incomplete file. */
export const writeDemoFacts = Effect.fn("writeDemoFacts")(function* (dataDir: string, facts: DemoFacts) {
  const files = yield* FileSystem.FileSystem
  const file = yield* demoFile(dataDir)
  const unfinished = `${file}.${yield* newToken("unfinished")}`
  const text = JSON.stringify(yield* Effect.orDie(Schema.encodeEffect(DemoFacts)(facts)), undefined, 2)
  yield* files.makeDirectory(dataDir, { recursive: true })
  yield* files.writeFileString(unfinished, `${text}\n`, { mode: owner_only })
  yield* files.rename(unfinished, file)
})

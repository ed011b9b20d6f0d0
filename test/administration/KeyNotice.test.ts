import * as NodeServices from "@effect/platform-node/NodeServices"
import { expect, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { KeyNotice } from "../../src/administration/setup/KeyNotice.ts"
import { AppConfig } from "../../src/platform/config/AppConfig.ts"
import { SecretBox } from "../../src/platform/crypto/SecretBox.ts"
import { Signer } from "../../src/platform/crypto/Signer.ts"
import { testDatabase } from "../support/database/Postgres.ts"
import { seedOrganization } from "../support/database/Seed.ts"

const settings = (SECRET_KEY: string, signing: { SIGNING_KEY?: string; TRUSTED_SIGNING_KEYS?: string } = {}) =>
  AppConfig.layer.pipe(
    Layer.provide(
      ConfigProvider.layer(ConfigProvider.fromEnv({ env: { SECRET_KEY, SIGNING_KEY: fixed_key, ...signing } }))
    ),
    Layer.provideMerge(NodeServices.layer)
  )

const newKey = () => randomBytes(32).toString("base64")
const fixed_key = newKey()

/** Runs the service's check of its encryption and signing keys with the given keys, and returns the log lines. */
const said = Effect.fnUntraced(function* (keys: string, signing: Parameters<typeof settings>[1] = {}) {
  const lines: Array<unknown> = []
  const kept = Logger.layer([Logger.make(({ message }) => void lines.push(message))])
  const notice = KeyNotice.pipe(Layer.provide(Signer.layer), Layer.provide(settings(keys, signing)))
  yield* Effect.scoped(Layer.build(Layer.provide(notice, kept)))
  return lines.flat().map(String)
})

const saidOfSignatures = (signing: Parameters<typeof settings>[1]) =>
  Effect.map(said(newKey(), signing), (lines) => lines.filter((line) => line.startsWith("SIGNING_KEY")))

layer(testDatabase, { excludeTestServices: true })((it) => {
  it.effect("a start without the key of stored secrets says so, and one with it says nothing", () =>
    Effect.gen(function* () {
      const [former, current] = [newKey(), newKey()]
      const { id } = yield* seedOrganization({})
      const sql = yield* SqlClient.SqlClient
      expect(yield* said(current)).toEqual([])
      const sealed = yield* SecretBox.use((box) => box.seal("whsec", "webhook")).pipe(
        Effect.provide(Layer.provide(SecretBox.layer, settings(former)))
      )
      yield* sql`
        insert into webhooks (organization_id, url, events, secret, secret_hint, after_sequence)
        values (${id}, 'https://example.com', '{*}', ${sealed}, '...', 0)`
      expect(yield* said(current)).toEqual([
        expect.stringMatching(/^SECRET_KEY has no key with the id [0-9a-f]{12}, and 1 stored secrets cannot be opened/)
      ])
      expect(yield* said(`${current},${former}`)).toEqual([])
    })
  )

  it.effect(
    "a start without the key that signed the latest proofs says so, and a trusted or former key is enough",
    () =>
      Effect.gen(function* () {
        const [former, current] = [newKey(), newKey()]
        const { id } = yield* seedOrganization({})
        const sql = yield* SqlClient.SqlClient
        const signer = yield* Signer.pipe(
          Effect.provide(Layer.provide(Signer.layer, settings("", { SIGNING_KEY: former })))
        )
        yield* sql`
        insert into archive_proofs (organization_id, record, signature) values (${id}, 'proof', ${signer.sign("proof")})`
        expect(yield* saidOfSignatures({ SIGNING_KEY: current })).toEqual([
          expect.stringMatching(/^SIGNING_KEY does not have the key that signed the latest proofs of 1 organizations: /)
        ])
        expect(yield* saidOfSignatures({ SIGNING_KEY: `${current},${former}` })).toEqual([])
        const trusted = { SIGNING_KEY: current, TRUSTED_SIGNING_KEYS: signer.public_key }
        expect(yield* saidOfSignatures(trusted)).toEqual([])
      })
  )
})

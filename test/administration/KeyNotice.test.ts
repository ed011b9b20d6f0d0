import * as NodeServices from "@effect/platform-node/NodeServices"
import { expect, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { KeyNotice } from "../../src/administration/setup/KeyNotice.ts"
import { AppConfig } from "../../src/platform/config/AppConfig.ts"
import { SecretBox } from "../../src/platform/crypto/SecretBox.ts"
import { testDatabase } from "../support/Postgres.ts"
import { seedOrganization } from "../support/Seed.ts"

const settings = (SECRET_KEY: string) =>
  AppConfig.layer.pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { SECRET_KEY } }))),
    Layer.provideMerge(NodeServices.layer)
  )

const newKey = () => randomBytes(32).toString("base64")

/** Returns what a start with these keys logs. */
const said = Effect.fnUntraced(function* (keys: string) {
  const lines: Array<unknown> = []
  const kept = Logger.layer([Logger.make(({ message }) => void lines.push(message))])
  yield* Effect.scoped(Layer.build(KeyNotice.pipe(Layer.provide(settings(keys)), Layer.provide(kept))))
  return lines.flat().map(String)
})

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
})

import { ConfigProvider, Effect, Layer } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { expect, it } from "vitest"
import { lockDatabase } from "../../src/administration/backup/Restore.ts"
import { AppConfig } from "../../src/platform/config/AppConfig.ts"
import { DatabaseLive } from "../../src/platform/sql/DatabaseLive.ts"
import { useApp } from "../support/App.ts"
import { here, urlOf } from "../support/service/Service.ts"

const app = useApp()

it("no service starts on a database while a backup is restored into it", async () => {
  const connection = await app.run(here)
  const environment = { DATABASE_URL: urlOf(connection), DATA_DIR: app.dataDir }
  const variables = ConfigProvider.layer(ConfigProvider.fromEnv({ env: environment }))
  const services = Layer.mergeAll(AppConfig.layer, NodeServices.layer).pipe(Layer.provide(variables))
  const starting = Effect.match(Effect.provide(Effect.void, DatabaseLive), {
    onFailure: ({ message }) => message,
    onSuccess: () => "started"
  }).pipe(Effect.provide(services))
  const restoring = Effect.scoped(Effect.andThen(lockDatabase(connection), starting))
  expect(await Effect.runPromise(restoring)).toContain("A backup is being restored")
  expect(await Effect.runPromise(starting)).toBe("started")
})

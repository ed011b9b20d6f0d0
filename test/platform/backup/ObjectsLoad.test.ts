import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Effect, Layer, Stream } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { loadObject } from "../../../src/platform/backup/ObjectsLoad.ts"
import { AppConfig } from "../../../src/platform/config/AppConfig.ts"
import { Spool } from "../../../src/platform/storage/Spool.ts"
import { locked_bucket, openS3, recordingS3 } from "../storage/Stores.ts"

const folder = mkdtempSync(join(tmpdir(), "invoicing-load-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const environment = ConfigProvider.layer(ConfigProvider.fromEnv({ env: { DATA_DIR: folder } }))
const spool = Spool.layer.pipe(
  Layer.provide(AppConfig.layer.pipe(Layer.provide(environment))),
  Layer.provide(NodeServices.layer)
)

/** Loads an object into a bucket with Object Lock, and returns the writes to the bucket. */
const written = async (retain_until: string, statuses: Record<string, number> = {}) => {
  // The bucket answers a request for the stored object with its settings, which are therefore also the object here.
  const server = await recordingS3(statuses, { content: locked_bucket })
  const store = openS3(server.port)
  const bytes = Stream.succeed(new TextEncoder().encode(locked_bucket))
  const entry = { name: "archive/1/ab/abcd", size: locked_bucket.length, attributes: { retain_until }, bytes }
  await store.run(loadObject("archive/1/ab/abcd", entry).pipe(Effect.provide(spool), Effect.orDie))
  await store.close()
  await server.close()
  return server.received.filter(({ method }) => method === "PUT")
}

it("a restored object is locked until the time that the backup names, unless that time has passed", async () => {
  const header = "x-amz-object-lock-retain-until-date"
  const [later] = await written("2040-01-01T00:00:00Z")
  expect(later?.headers[header]).toBe("2040-01-01T00:00:00Z")
  const [past] = await written("2020-01-01T00:00:00Z")
  expect(past?.url).toBe("/objects/live/archive/1/ab/abcd")
  expect(past?.headers).not.toHaveProperty(header)
})

it("the lock of an object that is already stored is extended", async () => {
  const [put] = await written("2040-01-01T00:00:00Z", { HEAD: 200 })
  expect(put?.url).toBe("/objects/live/archive/1/ab/abcd?retention")
  expect(put?.body.toString()).toContain("<RetainUntilDate>2040-01-01T00:00:00Z</RetainUntilDate>")
  expect(await written("2020-01-01T00:00:00Z", { HEAD: 200 })).toEqual([])
})

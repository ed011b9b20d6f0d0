import { ConfigProvider, Effect, Layer, Metric, Schedule } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { AppConfig } from "../../../src/platform/config/AppConfig.ts"
import { ProcessMetrics } from "../../../src/platform/observability/ProcessMetrics.ts"
import { useApp } from "../../support/App.ts"

const dataDir = mkdtempSync(join(tmpdir(), "invoicing-small-disk-"))
const disk_mebibytes = 80
const filler_bytes = 32 * 1024 * 1024

const mounted = () => {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${disk_mebibytes}m`, "tmpfs", dataDir], { stdio: "ignore" })
    return true
  } catch {
    console.log("Skipped: nothing may be mounted here, so no disk can be full (test/platform/http/Health.test.ts).")
    return false
  }
}
const isMounted = mounted()
const app = useApp({ dataDir })

afterAll(() => {
  if (isMounted) execFileSync("umount", ["--lazy", dataDir])
  rmSync(dataDir, { recursive: true, force: true })
})

describe("GET /health/ready", () => {
  it.skipIf(!isMounted)("answers 503 while the data folder has no room, and writes nothing there", async () => {
    const checks = { database: "ok", storage: "ok", disk: "ok" }
    const ready = async () => {
      const { body, headers, status } = await app.call("GET", "/health/ready")
      return { status, body, retry_after: headers.get("retry-after") }
    }
    expect(await ready()).toEqual({ status: 200, body: { status: "ready", checks }, retry_after: null })
    const filler = join(dataDir, "filler")
    writeFileSync(filler, Buffer.alloc(filler_bytes))
    const full = { status: "unavailable", checks: { ...checks, disk: "full" } }
    expect(await ready()).toEqual({ status: 503, body: full, retry_after: "2" })
    expect((await app.call("GET", "/health/live")).status).toBe(200)
    truncateSync(filler)
    expect((await ready()).status).toBe(200)
  })
})

it.skipIf(!isMounted)("the metric disk_free_bytes has the room of the disk of the data folder", async () => {
  const config = AppConfig.layer.pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { DATA_DIR: dataDir } })))
  )
  const { bavail, bsize } = statfsSync(dataDir)
  // The service may write a file between the two measurements.
  const room = { value: expect.closeTo(bavail * bsize, -7) }
  const found = Metric.snapshot.pipe(
    Effect.map((metrics) => metrics.filter(({ id }) => id === "disk_free_bytes")),
    Effect.tap((metrics) =>
      Effect.try(() => expect(metrics).toMatchObject([{ attributes: { folder: "data" }, state: room }]))
    ),
    // Until the first measurement, the metric may still have the value of an earlier test file of the same process.
    Effect.retry(Schedule.spaced("10 millis")),
    Effect.timeout("10 seconds")
  )
  await Effect.runPromise(Effect.provide(found, Layer.provide(ProcessMetrics, config)))
})

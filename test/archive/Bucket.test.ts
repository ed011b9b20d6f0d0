import { Effect, Option, Redacted, Stream } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { Checkpoints } from "../../src/archive/checkpoints/Checkpoints.ts"
import { Vault } from "../../src/archive/objects/Vault.ts"
import { OrganizationId } from "../../src/kernel/Ids.ts"
import { Spool } from "../../src/platform/storage/Spool.ts"
import { locked_bucket, recordingS3 } from "../platform/storage/Stores.ts"
import { useArchive } from "./DocumentArchiver.ts"

const locking = await recordingS3({}, { content: locked_bucket })
const plain = await recordingS3({ GET: 404 })
const kept = "The same bytes"
/** A bucket that already has every object. */
const filled = await recordingS3(
  { HEAD: 200 },
  { content: (url) => (url.includes("object-lock") ? locked_bucket : kept) }
)
afterAll(() => Promise.all([locking.close(), plain.close(), filled.close()]))

const bucketOf = ({ port }: { readonly port: number }) => ({
  storageUrl: Option.some(new URL(`s3://vault?endpoint=http://127.0.0.1:${port}&region=eu-west-1`)),
  storageCredentials: Option.some({
    accessKeyId: "S3",
    secretAccessKey: Redacted.make("S3"),
    sessionToken: Option.none()
  })
})

const puts = ({ received }: Awaited<ReturnType<typeof recordingS3>>) =>
  received.filter(({ method }) => method === "PUT")

describe("an archive in a bucket", () => {
  const locked = useArchive(bucketOf(locking))
  const unlocked = useArchive(bucketOf(plain))
  const full = useArchive(bucketOf(filled))

  it("with Object Lock locks each object for as long as is configured, and says so", async () => {
    const ours = await locked.open()
    await ours.issued()
    await locked.archiveAll(ours)
    expect(puts(locking)).toMatchObject([{ headers: { "x-amz-object-lock-mode": "COMPLIANCE" } }])
    const until = String(puts(locking)[0]?.headers["x-amz-object-lock-retain-until-date"])
    const rows = await locked.query(
      (sql) => sql<{ retained_until: Date; days: number }>`
      select retained_until, round(extract(epoch from retained_until - archived_at) / 86400)::integer as days
      from archive_objects where organization_id = ${ours.id}`
    )
    expect(rows).toMatchObject([{ days: 3650 }])
    expect(Number(rows[0]?.retained_until)).toBe(Date.parse(until))
    expect(await locked.state(ours)).toMatchObject({
      region: "eu-west-1",
      locked: true,
      retention_days: 3650,
      object_count: 1
    })
  })

  it("with Object Lock locks the head of a proven audit chain as well", async () => {
    const before = { number: 6, sha256: "2".repeat(64) }
    const keep = Checkpoints.use(({ keep }) => keep(OrganizationId.make(1), before, { seq: 4, head: "1".repeat(64) }))
    await locked.app.run(keep.pipe(Effect.provide(Checkpoints.layer)))
    expect(puts(locking).at(-1)).toMatchObject({
      url: expect.stringContaining("checkpoints/1/7"),
      headers: { "x-amz-object-lock-mode": "COMPLIANCE" }
    })
  })

  it("extends the lock of an object that it stored before", async () => {
    const ours = await full.open()
    const store = Effect.gen(function* () {
      const [vault, spool] = [yield* Vault, yield* Spool]
      return yield* vault.store(
        OrganizationId.make(ours.id),
        yield* spool.keep(Stream.encodeText(Stream.succeed(kept)))
      )
    })
    const { retained_until } = await full.app.run(store.pipe(Effect.scoped, Effect.provide(Vault.layer)))
    const extended = puts(filled).filter(({ url }) => url.endsWith("?retention"))
    expect(extended).toHaveLength(1)
    expect(extended[0]?.body.toString()).toContain(`<RetainUntilDate>${retained_until}</RetainUntilDate>`)
  })

  it("without Object Lock stores the same, locks nothing and promises nothing", async () => {
    const ours = await unlocked.open()
    await ours.issued()
    await unlocked.archiveAll(ours)
    const names = Object.keys(puts(plain)[0]?.headers ?? {})
    expect([names.length > 0, names.filter((name) => name.includes("object-lock"))]).toEqual([true, []])
    expect(await unlocked.state(ours)).toMatchObject({ locked: false, retention_days: 0, object_count: 1 })
  })
})

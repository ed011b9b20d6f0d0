import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { Incidents } from "../../../src/archive/integrity/Incidents.ts"
import { Integrity } from "../../../src/archive/integrity/Integrity.ts"
import { ExportBuilder } from "../../../src/archive/exports/ExportBuilder.ts"
import { ArchiveObjectId, ExportId, OrganizationId } from "../../../src/kernel/Ids.ts"
import { BlobStore } from "../../../src/platform/storage/BlobStore.ts"
import type { Books } from "../../support/Billing.ts"
import { unzipped } from "../../support/files/ZipReader.ts"
import { exportFolder } from "../exports/ExportFolder.ts"
import { useExports } from "../exports/Exporting.ts"
import { services } from "../DocumentArchiver.ts"

const { app, build, collect, filled, ordered, problems, prove, query, state } = useExports()
const { remove, unpack, verified } = exportFolder()

/**
 * Runs background work, and does something else right after the storage has said, for the given time, that it has no
 * file of this name.
 */
const disturbed = async <A, E>(
  work: Effect.Effect<A, E, Layer.Success<typeof services>>,
  missing: string,
  meanwhile: () => Promise<unknown>,
  time = 1
) => {
  let times = 0
  const disturbing = Effect.map(BlobStore, (store) =>
    BlobStore.of({
      ...store,
      get: (key) =>
        Effect.flatMap(Effect.exit(store.get(key)), (exit) => {
          if (key !== missing || ++times !== time) return exit
          return Effect.andThen(Effect.promise(meanwhile), exit)
        })
    })
  )
  await app.run(work.pipe(Effect.provide(Layer.fresh(services)), Effect.provideServiceEffect(BlobStore, disturbing)))
  expect(times).toBeGreaterThanOrEqual(time)
}

const proving = ({ id }: Books) => Integrity.use(({ prove }) => prove(OrganizationId.make(id)))

/** An organization with an archived invoice and one checkpoint, whose audit chain has grown since. */
const proven = async () => {
  const ours = await filled(1)
  await prove(ours)
  await ours.made("POST", "/customers", { name: "Gamma" })
  return ours
}

it("a proof finds no defect if another proof stores the next checkpoint meanwhile", async () => {
  const ours = await proven()
  await disturbed(proving(ours), `checkpoints/${ours.id}/2`, () => prove(ours))
  expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
  expect(await problems(ours)).toEqual([])
})

it("an export has every checkpoint that its audit chain names, although a proof stores one meanwhile", async () => {
  const ours = await proven()
  const id = await ordered(ours)
  const key = { organization_id: OrganizationId.make(ours.id), id: ExportId.make(id) }
  // The first reading of the checkpoints looks for a change of the signing key; the second one is for the export.
  const [building, readings] = [ExportBuilder.use(({ build }) => build(key)), 2]
  await disturbed(building, `checkpoints/${ours.id}/2`, () => prove(ours), readings)
  unpack(await unzipped((await collect(ours, id)).bytes))
  expect((await verified()).output).toMatch(/^VALID/)
  remove()
  const next = await ordered(ours)
  await build(ours, next)
  unpack(await unzipped((await collect(ours, next)).bytes))
  expect((await verified()).output).toMatch(/^VALID.* 2 checkpoints/)
  remove()
})

it("a proof does not pass if a download finds a damaged object after the proof has read it", async () => {
  const ours = await proven()
  const [object] = await query(
    (sql) => sql<{ id: string }>`select id::text from archive_objects where organization_id = ${ours.id}`
  )
  const found = { organization_id: OrganizationId.make(ours.id), id: ArchiveObjectId.make(object?.id ?? "") }
  const report = Incidents.use(({ reportObject }) => reportObject(found, "altered", "download"))
  const reporting = () => app.run(report.pipe(Effect.provide(Incidents.layer)))
  await disturbed(proving(ours), `checkpoints/${ours.id}/2`, reporting)
  expect(await state(ours)).toMatchObject({ integrity_state: "failed" })
  // The next proof reads the object, which is intact.
  await prove(ours)
  expect(await state(ours)).toMatchObject({ integrity_state: "passed" })
})

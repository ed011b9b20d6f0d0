import { Context, Effect, Layer, Option } from "effect"
import { describe, expect, it } from "vitest"
import { DocumentArchiver } from "../../../src/billing/archiving/DocumentArchiver.ts"
import { ArchivingQueue } from "../../../src/billing/archiving/ArchivingQueue.ts"
import { Pdf } from "../../../src/platform/documents/pdf/Pdf.ts"
import { PdfFailuresRepo } from "../../../src/platform/documents/pdf/PdfFailuresRepo.ts"
import { JobStore } from "../../../src/platform/jobs/JobStore.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { useArchive } from "../DocumentArchiver.ts"

/** While this is true, each PDF must be made within a millisecond, which is too short for any document. */
let hurried = true
const pdf = Layer.effect(
  Pdf,
  Effect.gen(function* () {
    const made = yield* Layer.build(Pdf.layerOf({ processes: 2, document_duration_max: "1 millis" }))
    const patient = yield* Layer.build(Pdf.layerOf({ processes: 2 }))
    return Pdf.of({ render: (...of) => Context.get(hurried ? made : patient, Pdf).render(...of) })
  })
).pipe(Layer.provide(PdfFailuresRepo.layer))

const { app, documents, open, query } = useArchive({ role: "all" }, { pdf })

const jobStore = <A>(use: (store: JobStore["Service"]) => Effect.Effect<A>) =>
  app.run(JobStore.use(use).pipe(Effect.provide(JobStore.layer)))
const deadJobs = () => jobStore((store) => store.listDead({ queue: ArchivingQueue.name, limit: 10, offset: 0 }))

describe("the archiving of a document that is too complex for a PDF", () => {
  it("ends with a dead job after two attempts, is not resumed, and succeeds when an operator retries it", async () => {
    const ours = await open()
    const { id } = await ours.issued()
    const [dead] = await until("the dead job", async () => {
      const { rows } = await deadJobs()
      return rows.length > 0 ? rows : undefined
    })
    expect(dead).toMatchObject({ queue: "billing.archiving", attempts: 2 })
    expect(dead?.failure).toContain("PdfTooComplex")

    await query((sql) => sql`update archive_deposits set ordered_at = ordered_at - interval '3 hours'`)
    await app.run(DocumentArchiver.use(({ resume }) => resume).pipe(Effect.provide(DocumentArchiver.layer)))
    const pending = await query(
      (sql) => sql`
      select id from jobs where queue_name = ${ArchivingQueue.name} and state = 'pending'`
    )
    expect(pending).toEqual([])
    await query((sql) => sql`update archive_deposits set ordered_at = ordered_at + interval '3 hours'`)

    const refused = await ours.call("GET", `/invoices/${id}/pdf`)
    expect([refused.status, refused.body.code]).toEqual([422, "pdf_too_complex"])

    hurried = false
    await query((sql) => sql`update pdf_failures set failed_at = failed_at - interval '15 minutes'`)
    expect(Option.isSome(await jobStore((store) => store.retry(dead?.id ?? 0)))).toBe(true)
    const archived = await until("the object", async () => {
      const found = await documents(ours)
      return found.length > 0 ? found : undefined
    })
    expect(archived).toMatchObject([{ document_id: id, object_kind: "pdf" }])
  })
})

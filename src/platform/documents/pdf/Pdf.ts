import { Context, type Duration, Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import type { OrganizationId } from "../../../kernel/Ids.ts"
import { type ChildPool, childPool } from "../../children/ChildPool.ts"
import { fairTurns } from "../../children/FairTurns.ts"
import { sharing } from "../../children/Sharing.ts"
import { AppConfig } from "../../config/AppConfig.ts"
import { Database } from "../../sql/Database.ts"
import type { PdfAnswer, PdfJob } from "./PdfChild.ts"
import { type PdfRefused, PdfTooComplex, PdfUnavailable } from "./PdfErrors.ts"
import { type Content, PdfFailuresRepo } from "./PdfFailuresRepo.ts"

const megabyte = 1_000_000

interface PdfLimits {
  /** Maximum number of documents made at the same time. */
  readonly processes: number
  readonly document_duration_max?: Duration.Input
  readonly memory_bytes_max?: number
}

/**
 * The largest invoice (500 lines of 2,000 characters) takes 2 seconds of CPU and 350 MB in Latin letters, and 13
 * seconds and 1,000 MB in the worst mixture of scripts. The limits allow for a busy machine.
 */
const default_limits = { document_duration_max: "30 seconds", memory_bytes_max: 1_200 * megabyte } as const

const child_limits = {
  start_duration_max: "30 seconds",
  heap_megabytes_max: 256,
  memory_bytes_kept_max: 350 * megabyte,
  jobs_per_child_max: 10_000,
  idle_duration_max: "10 minutes",
  pause_after_failed_starts: "10 seconds"
} as const

const waiting_duration_max = "30 seconds"
const waiting_documents_max = 64
const waiting_documents_per_organization_max = 32
/** A short document takes at most half a second; the time for a longer one is unpredictable. */
const short_document_characters_max = 30_000
const waiting_long_documents_max = 16
const waiting_long_documents_per_organization_max = 8
/** Maximum number of characters of a document; the largest invoice (500 lines of 2,000 characters) has a million. */
const document_characters_max = 8_000_000

const failures_max = 2

export interface PdfOrigin {
  readonly organization_id: OrganizationId
  readonly picture?: Uint8Array | undefined
}

/** Makes PDF/A-3 from Typst templates in limited child processes. The same data gives the same bytes. */
export class Pdf extends Context.Service<
  Pdf,
  {
    /**
     * `template` is a `.typ` file, which reads `data` (any JSON value) as `json("/document.json")`, and the picture of
     * `origin` as `/picture.png`. An error in the template is a defect. Organizations take turns. Equal data must come
     * with an equal picture, because concurrent calls with equal data share one run.
     */
    readonly render: (template: URL, data: unknown, origin: PdfOrigin) => Effect.Effect<Uint8Array, PdfRefused>
  }
>()("invoicing/platform/documents/pdf/Pdf") {
  static readonly layerOf = (limits: PdfLimits) => Layer.effect(this, make(limits))

  static readonly layer = Layer.unwrap(
    Effect.map(AppConfig, ({ pdfProcesses: processes }) => this.layerOf({ processes }))
  ).pipe(Layer.provide(Layer.provide(PdfFailuresRepo.layer, Database.layer)))
}

const make = Effect.fnUntraced(function* (changes: PdfLimits) {
  const { document_duration_max, memory_bytes_max, processes } = { ...default_limits, ...changes }
  const pool = yield* childPool({
    ...child_limits,
    entry: new URL("./PdfChild.ts", import.meta.url),
    size: processes,
    job_duration_max: document_duration_max,
    memory_bytes_max
  })
  const inTurn = turnsOf(processes)
  const once = yield* sharing<Uint8Array, PdfRefused>()
  const failures = yield* PdfFailuresRepo

  const fail = (content: Content, reason: string) =>
    Effect.gen(function* () {
      const failed = yield* failures.add(content)
      yield* Effect.logWarning(`a PDF could not be made: ${reason}`)
      return yield* failed < failures_max ? PdfUnavailable.of() : PdfTooComplex.of()
    })

  const attempt = Effect.fnUntraced(function* (content: Content, job: PdfJob) {
    const failed_before = yield* failures.count(content)
    if (failed_before >= failures_max) return yield* PdfTooComplex.of()
    const answer = yield* ask(pool, job).pipe(
      inTurn(content.organization_id, job.document.length),
      Effect.catchTags({
        NoTurn: () => PdfUnavailable.of(),
        ChildTimedOut: () => fail(content, "it took too long"),
        ChildFailed: ({ cause, reason }) =>
          // The system may have killed the process, e.g. because the machine lacks memory for all of its work.
          cause === "ended"
            ? Effect.andThen(Effect.logError(`a process that makes PDF files ${reason}`), PdfUnavailable.of())
            : fail(content, reason),
        ChildUnavailable: ({ reason }) =>
          Effect.andThen(Effect.logError(`no process makes PDF files: ${reason}`), PdfUnavailable.of())
      })
    )
    if (failed_before > 0) yield* failures.forget(content)
    return "pdf" in answer ? answer.pdf : yield* Effect.die(new Error(answer.problem))
  })

  const render = Effect.fn("Pdf.render")(function* (
    template: URL,
    data: unknown,
    { organization_id, picture }: PdfOrigin
  ) {
    const job = { template: fileURLToPath(template), document: JSON.stringify(data), picture }
    if (job.document.length > document_characters_max) return yield* PdfTooComplex.of()
    const content = createHash("sha256").update(basename(job.template)).update("\0").update(job.document).digest()
    return yield* once(`${organization_id} ${content.toString("base64")}`, attempt({ organization_id, content }, job))
  })

  return Pdf.of({ render })
})

/**
 * One of several processes is reserved for short documents, and an organization may use half of the others for long
 * documents, so a short document never waits for a long one, not even of its own organization.
 */
const turnsOf = (processes: number) => {
  const long_processes = Math.max(1, processes - 1)
  const all = fairTurns({
    size: processes,
    held_per_owner_max: processes,
    waiting_max: waiting_documents_max,
    waiting_per_owner_max: waiting_documents_per_organization_max,
    waiting_duration_max
  })
  const long = fairTurns({
    size: long_processes,
    held_per_owner_max: Math.ceil(long_processes / 2),
    waiting_max: waiting_long_documents_max,
    waiting_per_owner_max: waiting_long_documents_per_organization_max,
    waiting_duration_max
  })
  return (owner: OrganizationId, characters: number) =>
    <A, E>(work: Effect.Effect<A, E>) => {
      const inTurn = all.inTurn(owner)(work)
      return characters <= short_document_characters_max ? inTurn : long.inTurn(owner)(inTurn)
    }
}

/** Boundary: the child runs `PdfChild.ts`, whose answers have this type. */
const ask = (pool: ChildPool, job: PdfJob) => Effect.map(pool.run(job), (answer) => answer as PdfAnswer)

import { Context, Data, Duration, Effect, Layer, Option, Pool, Semaphore } from "effect"
import { fileURLToPath } from "node:url"
import { MessageChannel, Worker } from "node:worker_threads"
import { PdfUnavailable } from "./PdfUnavailable.ts"
import type { PdfAnswer, PdfJob } from "./PdfWorker.ts"

/** 500 lines of 2,000 characters take a few seconds; the rest is room for a busy machine. */
const document_duration_max = Duration.seconds(30)
const waiting_documents_max = 64
const attempts_max = 2
const worker_idle_max = Duration.minutes(10)
const ended_thread_id = -1

/**
 * Makes PDF/A-3 files from Typst templates, one at a time on a thread of its own: the event loop stays free. The thread
 * starts with the first document and is replaced when it dies. The same data gives the same bytes.
 */
export class Pdf extends Context.Service<
  Pdf,
  {
    /**
     * `template` is a `.typ` file of this repository, which reads `data`, anything JSON can write, as
     * `json("/document.json")`. A mistake in the template is a defect.
     */
    readonly render: (template: URL, data: unknown) => Effect.Effect<Uint8Array, PdfUnavailable>
  }
>()("invoicing/platform/documents/Pdf") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const workers = yield* Pool.makeWithTTL({ acquire: startWorker, min: 0, max: 1, timeToLive: worker_idle_max })
      const places = yield* Semaphore.make(waiting_documents_max)

      const attempt = (template: URL, data: unknown) =>
        Pool.use(workers, (worker) =>
          ask(worker, fileURLToPath(template), data).pipe(
            Effect.timeoutOrElse({
              duration: document_duration_max,
              orElse: () => Effect.fail(PdfUnavailable.of())
            }),
            Effect.tapError(() => Pool.invalidate(workers, worker))
          )
        )

      const render = Effect.fn("Pdf.render")(function* (template: URL, data: unknown) {
        const document = attempt(template, data).pipe(
          Effect.retry({ times: attempts_max - 1, while: (error) => error._tag === "WorkerDied" }),
          Effect.catchTag("WorkerDied", Effect.die)
        )
        const made = yield* Semaphore.withPermitsIfAvailable(places, 1, document)
        if (Option.isNone(made)) return yield* PdfUnavailable.of()
        return made.value
      })

      return Pdf.of({ render })
    })
  )
}

class WorkerDied extends Data.TaggedError("WorkerDied")<{ readonly cause: unknown }> {}

const startWorker = Effect.acquireRelease(
  Effect.sync(() => {
    const worker = new Worker(new URL("./PdfWorker.ts", import.meta.url))
    // An error nobody listens to would end the process, even when no document is being made.
    return worker.on("error", () => {})
  }),
  // Its end is not awaited: inside Typst a thread only ends when the document is done.
  (worker) => Effect.sync(() => void worker.terminate())
)

/** Each document has its own channel, so the answer to an interrupted request is dropped, not given to the next one. */
const ask = (worker: Worker, template: string, data: unknown) =>
  Effect.callback<Uint8Array, WorkerDied>((resume) => {
    const { port1: answers, port2: reply } = new MessageChannel()
    const stop = () => {
      worker.off("error", die)
      worker.off("exit", die)
      answers.close()
    }
    const die = (cause: unknown) => {
      stop()
      resume(Effect.fail(new WorkerDied({ cause })))
    }
    answers.once("message", (answer: PdfAnswer) => {
      stop()
      resume("pdf" in answer ? Effect.succeed(answer.pdf) : Effect.die(new Error(answer.problem)))
    })
    worker.once("error", die)
    worker.once("exit", die)
    // The thread may have ended while nobody was waiting for it.
    if (worker.threadId === ended_thread_id) die("ended while idle")
    else worker.postMessage({ template, data, reply } satisfies PdfJob, [reply])
    return Effect.sync(stop)
  })

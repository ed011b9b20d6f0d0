import { Context, Effect, Layer, Option } from "effect"
import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import type { OrganizationId, ReceiptRef } from "../../../kernel/Ids.ts"
import { type NotFound, orNotFound } from "../../../kernel/Refusal.ts"
import { JobStore } from "../../../platform/jobs/JobStore.ts"
import { BlobStore } from "../../../platform/storage/BlobStore.ts"
import { Spool } from "../../../platform/storage/Spool.ts"
import { readingJobId, receiptQueues } from "../reading/ReceiptQueue.ts"
import { ReceiptReader } from "../reading/ReceiptReader.ts"
import { type FoundReceipt, type ListedReceipt, ReceiptReviewsRepo } from "./ReceiptReviewsRepo.ts"

type Progress =
  | { readonly state: "queued"; readonly position: number }
  | { readonly state: "reading"; readonly seconds: number }

interface Review {
  readonly receipt: FoundReceipt
  /** Undefined when the receipt has been read. */
  readonly progress: Progress | undefined
  /** The first page as WebP; undefined if the file has no pages, or all readers are busy. */
  readonly picture: Uint8Array | undefined
}

/** Maximum time to wait for the picture. After that, the web page is shown without it, because a person is waiting. */
const picture_duration_max = "10 seconds"

/** Shows people the values and places that the readings of an organization's receipts found. */
export class ReceiptReviews extends Context.Service<
  ReceiptReviews,
  {
    readonly list: (organization_id: OrganizationId, request: PageRequest) => Effect.Effect<PageRows<ListedReceipt>>
    readonly get: (organization_id: OrganizationId, receipt_ref: ReceiptRef) => Effect.Effect<Review, NotFound>
  }
>()("invoicing/expenses/receipts/review/ReceiptReviews") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ReceiptReviewsRepo
      const reader = yield* ReceiptReader
      const blobs = yield* BlobStore
      const spool = yield* Spool
      const jobs = yield* JobStore

      const progressOf = Effect.fnUntraced(function* (receipt: FoundReceipt) {
        const { reading_seconds, reading_timeouts, receipt_ref, status } = receipt
        if (status !== "processing") return undefined
        const id = readingJobId(receipt_ref, reading_timeouts)
        const places = yield* Effect.forEach(receiptQueues, ({ name }) => jobs.placeOf({ queue: name, id }))
        const place = Option.firstSomeOf(places)
        const { isRunning, position } = Option.getOrElse(place, () => ({ isRunning: false, position: 0 }))
        return isRunning
          ? ({ state: "reading", seconds: Math.floor(reading_seconds ?? 0) } as const)
          : ({ state: "queued", position } as const)
      })

      const pictureOf = Effect.fnUntraced(
        function* ({ object_key, result, trace }: FoundReceipt) {
          const { bytes } = yield* blobs.get(object_key)
          const { path } = yield* spool.keep(bytes)
          const quarters = result?.source === "ocr" ? (trace?.pages[0]?.quarters ?? 0) : undefined
          return yield* reader.picture({ path, quarters })
        },
        Effect.scoped,
        Effect.timeout(picture_duration_max),
        Effect.orElseSucceed(() => undefined)
      )

      const get = Effect.fn("ReceiptReviews.get")(function* (organization_id: OrganizationId, ref: ReceiptRef) {
        const receipt = yield* orNotFound(repo.find({ organization_id, receipt_ref: ref }))
        const progress = yield* progressOf(receipt)
        const picture = progress === undefined ? yield* pictureOf(receipt) : undefined
        return { receipt, progress, picture }
      })

      return ReceiptReviews.of({ list: repo.list, get })
    })
  ).pipe(Layer.provide([ReceiptReviewsRepo.layer, JobStore.layer]))
}

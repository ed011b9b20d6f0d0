import { Effect, Option } from "effect"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import type { EinvoiceKey } from "./Einvoice.ts"
import { ExtraPollQueue } from "./EinvoiceQueue.ts"
import { EinvoicesRepo } from "./EinvoicesRepo.ts"

/**
 * Enqueues polls of documents about which there is news, because the next planned poll of a document may be a day away,
 * or the last one may have been made.
 */
export const extraPolls = Effect.gen(function* () {
  const repo = yield* EinvoicesRepo
  const jobs = yield* Jobs

  /** Enqueues one poll for each cause, such as the id of a message, however often the cause is reported. */
  const enqueue = Effect.fn("ExtraPolls.enqueue")(function* ({ id, organization_id }: EinvoiceKey, cause: string) {
    yield* jobs.offer(ExtraPollQueue, { organization_id, id }, { id: `${id}:${cause}`, organization_id })
  })

  /** Enqueues a poll of the document that a message of the network names by its number only. */
  const enqueueNamed = Effect.fnUntraced(function* (named: Parameters<typeof repo.findNamed>[0], cause: string) {
    const found = yield* repo.findNamed(named)
    if (Option.isSome(found)) yield* enqueue(found.value, cause)
  })

  return { enqueue, enqueueNamed }
}).pipe(Effect.provide(EinvoicesRepo.layer))

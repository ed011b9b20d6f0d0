import { Effect, Option } from "effect"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { FollowUpQueue } from "./EinvoiceQueue.ts"
import { EinvoicesRepo } from "./EinvoicesRepo.ts"

/**
 * Enqueues a poll of the document that a message of the network is about, because the next regular poll may be a day
 * away, or the last one may have been made. A message that arrives twice causes one poll.
 */
export const extraPolls = Effect.gen(function* () {
  const repo = yield* EinvoicesRepo
  const jobs = yield* Jobs
  return Effect.fn("ExtraPolls.enqueue")(function* (named: Parameters<typeof repo.findNamed>[0], message_id: string) {
    const found = yield* repo.findNamed(named)
    if (Option.isNone(found)) return
    const key = found.value
    yield* jobs.offer(FollowUpQueue, { ...key, is_extra: true }, { id: `${key.id}:${message_id}` })
  })
}).pipe(Effect.provide(EinvoicesRepo.layer))

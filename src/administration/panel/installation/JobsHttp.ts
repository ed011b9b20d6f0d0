import { Effect, Layer, Schema } from "effect"
import { limitOf, offsetOf } from "../../../kernel/Envelope.ts"
import { orNotFound } from "../../../kernel/Refusal.ts"
import { Line } from "../../../kernel/Text.ts"
import { JobStore } from "../../../platform/jobs/JobStore.ts"
import { formPage, type PanelRequest, showPage } from "../Panel.ts"
import { idOf, pageOf, textOf } from "../PanelInput.ts"
import { discardPage, jobsPage, retryPage } from "./JobsPage.ts"

const isLine = Schema.is(Line)

const list = showPage(
  "/admin/jobs",
  Effect.fnUntraced(function* ({ query }) {
    const jobs = yield* JobStore
    const asked = textOf(query, "queue")
    const queue = isLine(asked) ? asked : ""
    const request = pageOf(query)
    const filter = { queue: queue === "" ? null : queue, limit: limitOf(request), offset: offsetOf(request) }
    return jobsPage({ queues: yield* jobs.overview, dead: yield* jobs.listDead(filter), request, queue })
  })
)

const deadOf = Effect.fnUntraced(function* ({ params }: PanelRequest) {
  const id = yield* idOf(Schema.Int, params["job_id"])
  return yield* orNotFound((yield* JobStore).findDead(id))
})

const retry = formPage("/admin/jobs/:job_id/retry", {
  load: deadOf,
  page: retryPage,
  submit: Effect.fnUntraced(function* ({ id }) {
    yield* orNotFound((yield* JobStore).retry(id))
    return "/admin/jobs?done=retried"
  })
})

const discard = formPage("/admin/jobs/:job_id/discard", {
  load: deadOf,
  page: discardPage,
  submit: Effect.fnUntraced(function* ({ id }) {
    yield* orNotFound((yield* JobStore).discard(id))
    return "/admin/jobs?done=discarded"
  })
})

export const JobsRoutes = Layer.mergeAll(list, retry, discard)

import { Effect, Layer, Schema } from "effect"
import { limitOf, offsetOf, type PageRequest, type PageRows } from "../../../kernel/Envelope.ts"
import { orNotFound } from "../../../kernel/Refusal.ts"
import { Line } from "../../../kernel/Text.ts"
import { type DeadJob, JobStore, type QueueFigures } from "../../../platform/jobs/JobStore.ts"
import { type Html, html } from "../../../platform/pages/Html.ts"
import { DiscardJob, RetryJob } from "../../AdministrationRpc.ts"
import { type PanelRequest, showPage } from "../Panel.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { idOf, pageOf, textOf } from "../PanelInput.ts"
import { moment, panelList, terms } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"

const section = "/admin/jobs"

const toJobs = { path: section, label: "jobs" }

interface Jobs {
  readonly queues: ReadonlyArray<QueueFigures>
  readonly dead: PageRows<DeadJob>
  readonly request: PageRequest
  /** Queue whose dead jobs are listed; empty for all queues. */
  readonly queue: string
}

const jobsPage = ({ dead, queue, queues, request }: Jobs): PanelContent => ({
  title: "Jobs",
  section,
  body: html`<h2>Queues</h2>
    <section class="card">
      ${
        queues.length === 0
          ? html`<p>Nothing is to be done.</p>`
          : html`<ul class="plain">
              ${queues.map((figures) => html`<li>${queueRow(figures)}</li>`)}
            </ul>`
      }
    </section>
    <h2>${queue === "" ? "Jobs that failed for good" : `Jobs of ${queue} that failed for good`}</h2>
    ${queue === "" ? null : html`<p><a href="${section}">Show those of all queues</a></p>`}
    ${panelList({
      slice: dead,
      request,
      path: section,
      query: new URLSearchParams(queue === "" ? {} : { queue }),
      none: "None has failed.",
      row: deadRow
    })}`
})

const queueRow = ({ attempts, dead, oldest_waiting_seconds, planned, queue, running, waiting }: QueueFigures): Html =>
  html`<strong>${queue}</strong> ${terms([
      ["Due", waiting - planned],
      ["Planned for later", planned],
      ["Under way", running],
      ["Attempts so far", attempts],
      ["The first is late by", `${Math.round(oldest_waiting_seconds)} s`],
      [
        "Failed for good",
        dead === 0 ? 0 : html`<a href="${section}?${new URLSearchParams({ queue }).toString()}">${dead}</a>`
      ]
    ])}`

const deadRow = (job: DeadJob): Html =>
  html`<div>
      ${job.queue}<br />
      <small>${job.job} · failed ${moment(job.failed_at)} after ${job.attempts} attempts</small>
      ${why(job)}
    </div>
    <div class="actions">
      <a class="button quiet" href="${section}/${job.id}/retry" aria-label="Retry ${job.queue} ${job.job}">Retry</a>
      <a class="button quiet" href="${section}/${job.id}/discard" aria-label="Discard ${job.queue} ${job.job}"
        >Discard</a
      >
    </div>`

const why = ({ failure }: DeadJob): Html =>
  html`<details>
    <summary>Why</summary>
    <pre>${failure}</pre>
  </details>`

const about = (job: DeadJob, consequence: string): Html =>
  html`<p>${consequence}</p>
    ${terms([
      ["Queue", job.queue],
      ["Job", job.job],
      ["Ordered", moment(job.created_at)],
      ["Failed", moment(job.failed_at)],
      ["Attempts", job.attempts]
    ])}
    ${why(job)}`

const isLine = Schema.is(Line)

const list = showPage(
  section,
  Effect.fnUntraced(function* ({ query }) {
    const jobs = yield* JobStore
    const asked = textOf(query, "queue")
    const queue = isLine(asked) ? asked : ""
    const request = pageOf(query)
    const filter = { queue: queue === "" ? null : queue, limit: limitOf(request), offset: offsetOf(request) }
    return jobsPage({ queues: yield* jobs.overview, dead: yield* jobs.listDead(filter), request, queue })
  })
)

const ofJob = {
  load: Effect.fnUntraced(function* ({ params }: PanelRequest) {
    const id = yield* idOf(Schema.Int, params["job_id"])
    return yield* orNotFound((yield* JobStore).findDead(id))
  }),
  section,
  back: () => toJobs,
  given: ({ id }: DeadJob) => Effect.succeed({ job_id: id })
} as const

const retry = procedureForm(RetryJob, {
  ...ofJob,
  path: "/admin/jobs/:job_id/retry",
  title: "Do the job again?",
  submit: "Do it again",

  before: (job) => about(job, "It gets all its attempts once more."),
  call: (procedures, payload) => procedures.RetryJob(payload),
  done: () => "/admin/jobs?done=retried"
})

const discard = procedureForm(DiscardJob, {
  ...ofJob,
  path: "/admin/jobs/:job_id/discard",
  title: "Discard the job?",
  submit: "Discard the job",
  danger: true,
  before: (job) => about(job, "It is never done, and nothing remembers it."),
  call: (procedures, payload) => procedures.DiscardJob(payload),
  done: () => "/admin/jobs?done=discarded"
})

export const JobsRoutes = Layer.mergeAll(list, retry, discard)

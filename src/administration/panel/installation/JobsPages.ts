import { Effect, Layer, Schema } from "effect"
import { limitOf, offsetOf } from "../../../kernel/Envelope.ts"
import { orNotFound } from "../../../kernel/Refusal.ts"
import { type DeadJob, JobStore, type QueueFigures } from "../../../platform/jobs/JobStore.ts"
import { type Html, html } from "../../../platform/pages/Html.ts"
import type { PanelRequest, Place } from "../Panel.ts"
import { idOf } from "../PanelInput.ts"
import { listPage, moment, terms } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"

const place: Place = { path: "/admin/jobs", label: "jobs" }

const queueRow = ({ attempts, dead, oldest_waiting_seconds, planned, queue, running, waiting }: QueueFigures): Html =>
  html`<strong>${queue}</strong> ${terms([
      ["Due", waiting - planned],
      ["Planned for later", planned],
      ["Under way", running],
      ["Attempts so far", attempts],
      ["Oldest one is due since", `${Math.round(oldest_waiting_seconds)} s`],
      [
        "Failed for good",
        dead === 0 ? 0 : html`<a href="${place.path}?${new URLSearchParams({ queue }).toString()}">${dead}</a>`
      ]
    ])}`

const why = ({ failure }: DeadJob): Html =>
  html`<details>
    <summary>Why</summary>
    <pre>${failure}</pre>
  </details>`

const list = listPage(place, {
  load: () => Effect.flatMap(JobStore, ({ overview }) => overview),
  title: "Jobs",
  before: (queues, queue) =>
    html`<h2>Queues</h2>
      <section class="card">
        ${
          queues.length === 0
            ? html`<p>No job is waiting.</p>`
            : html`<ul class="plain">
                ${queues.map((figures) => html`<li>${queueRow(figures)}</li>`)}
              </ul>`
        }
      </section>
      <h2>${queue === undefined ? "Jobs that failed permanently" : `Jobs of ${queue} that failed permanently`}</h2>`,
  filter: { name: "queue", label: "Queue" },
  rows: (request, _, queue) =>
    Effect.flatMap(JobStore, ({ listDead }) =>
      listDead({ queue: queue ?? null, limit: limitOf(request), offset: offsetOf(request) })
    ),
  row: (job) => ({
    name: `${job.queue} ${job.job}`,
    small: html`failed ${moment(job.failed_at)} after ${job.attempts} attempts`,
    more: why(job),
    actions: { [`${job.id}/retry`]: "Retry", [`${job.id}/discard`]: "Discard" }
  }),
  none: "No job has failed."
})

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

const jobOf = Effect.fnUntraced(function* ({ params }: PanelRequest) {
  const id = yield* idOf(Schema.Int, params["job_id"])
  return yield* orNotFound((yield* JobStore).findDead(id))
})

const retry = procedureForm("RetryJob", place, {
  path: ":job_id/retry",
  load: jobOf,
  title: "Do the job again?",
  submit: "Do it again",
  before: (job) => about(job, "It gets the full number of attempts again.")
})

const discard = procedureForm("DiscardJob", place, {
  path: ":job_id/discard",
  load: jobOf,
  title: "Discard the job?",
  submit: "Discard the job",
  danger: true,
  before: (job) => about(job, "It will never run, and no trace of it remains.")
})

export const JobsRoutes = Layer.mergeAll(list, retry, discard)

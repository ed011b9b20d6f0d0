import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import { type Html, html } from "../../../platform/pages/Html.ts"
import type { DeadJob, QueueFigures } from "../../../platform/jobs/JobStore.ts"
import { panelForm, type Typed } from "../PanelForm.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { moment, panelList, terms } from "../PanelList.ts"

const section = "/admin/jobs"

const toJobs = { path: section, label: "jobs" }

interface Jobs {
  readonly queues: ReadonlyArray<QueueFigures>
  readonly dead: PageRows<DeadJob>
  readonly request: PageRequest
  /** Queue whose dead jobs are listed; empty for all queues. */
  readonly queue: string
}

export const jobsPage = ({ dead, queue, queues, request }: Jobs): PanelContent => ({
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

const queueRow = ({ attempts, dead, oldest_waiting_seconds, queue, running, waiting }: QueueFigures): Html =>
  html`<strong>${queue}</strong> ${terms([
      ["Waiting", waiting],
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

export const retryPage = (job: DeadJob, typed: Typed): PanelContent => ({
  title: "Do the job again?",
  section,
  back: toJobs,
  body: panelForm({
    typed,
    submit: "Do it again",
    cancel: section,
    before: about(job, "It gets all its attempts once more.")
  })
})

export const discardPage = (job: DeadJob, typed: Typed): PanelContent => ({
  title: "Discard the job?",
  section,
  back: toJobs,
  body: panelForm({
    typed,
    submit: "Discard the job",
    danger: true,
    cancel: section,
    before: about(job, "It is never done, and nothing remembers it.")
  })
})

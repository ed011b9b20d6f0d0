import type { Incident } from "../../../archive/integrity/Incident.ts"
import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import { html } from "../../../platform/pages/Html.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { moment, panelList, terms } from "../PanelList.ts"

const section = "/admin/incidents"

const aboutOf = ({ export_id, object_id }: Incident) => {
  if (object_id !== null) return `Archived object ${object_id}`
  return export_id === null ? "What is recorded" : `Export ${export_id}`
}

/** `open` restricts the list to unresolved incidents. */
export const incidentsPage = (slice: PageRows<Incident>, request: PageRequest, open: boolean): PanelContent => ({
  title: open ? "Open integrity incidents" : "Integrity incidents",
  section,
  body: html`<p>
      An archive that is not what was recorded. An incident is resolved when all was seen to be well again.
    </p>
    <p>
      ${
        open
          ? html`<a href="${section}">Show resolved ones, too</a>`
          : html`<a href="${section}?open=true">Show open ones only</a>`
      }
    </p>
    ${panelList({
      slice,
      request,
      path: section,
      query: new URLSearchParams(open ? { open: "true" } : {}),
      none: "There is none.",
      row: (incident) =>
        html`<div>
          <strong>${aboutOf(incident)}: ${incident.problem}</strong>
          ${incident.resolved_at === null ? html`<span class="tag">open</span>` : null}
          ${terms([
            [
              "Organization",
              html`<a href="/admin/organizations/${incident.organization_id}">${incident.organization_id}</a>`
            ],
            ["Found by", incident.found_by],
            ["Found", moment(incident.found_at)],
            ["Resolved", incident.resolved_at === null ? "not yet" : moment(incident.resolved_at)]
          ])}
        </div>`
    })}`
})

import { Effect } from "effect"
import type { Incident } from "../../../archive/integrity/Incident.ts"
import { Incidents } from "../../../archive/integrity/Incidents.ts"
import { html } from "../../../platform/pages/Html.ts"
import { listPage, moment, terms } from "../PanelList.ts"

const aboutOf = ({ export_id, object_id }: Incident) => {
  if (object_id !== null) return `Archived object ${object_id}`
  return export_id === null ? "What is recorded" : `Export ${export_id}`
}

export const IncidentsRoutes = listPage(
  { path: "/admin/incidents", label: "incidents" },
  {
    load: () => Effect.void,
    title: "Integrity incidents",
    filter: { name: "state", label: "State", choices: ["open"] },
    before: () =>
      html`<p>
        An incident is open while an archive differs from its records. It is resolved when a later proof finds no
        difference.
      </p>`,
    rows: (request, _, state) =>
      Effect.flatMap(Incidents, (incidents) => incidents.list({ ...request, open: state === "open" })),
    row: (incident) => ({
      name: `${aboutOf(incident)}: ${incident.problem}`,
      tags: incident.resolved_at === null ? ["open"] : [],
      more: terms([
        [
          "Organization",
          html`<a href="/admin/organizations/${incident.organization_id}">${incident.organization_id}</a>`
        ],
        ["Found by", incident.found_by],
        ["Found", moment(incident.found_at)],
        ["Resolved", incident.resolved_at === null ? "not yet" : moment(incident.resolved_at)]
      ])
    }),
    none: "There is no incident."
  }
)

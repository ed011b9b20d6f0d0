import { Effect } from "effect"
import { Incidents } from "../../../archive/integrity/Incidents.ts"
import { showPage } from "../Panel.ts"
import { pageOf } from "../PanelInput.ts"
import { incidentsPage } from "./IncidentsPage.ts"

export const IncidentsRoutes = showPage(
  "/admin/incidents",
  Effect.fnUntraced(function* ({ query }) {
    const request = pageOf(query)
    const open = query.get("open") === "true"
    return incidentsPage(yield* (yield* Incidents).list({ ...request, open }), request, open)
  })
)

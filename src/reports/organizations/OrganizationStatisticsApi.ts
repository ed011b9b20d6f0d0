import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { data } from "../../kernel/Envelope.ts"
import { inText, OrganizationId } from "../../kernel/Ids.ts"
import { operation, tag } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { OrganizationStatistics } from "./OrganizationStatistics.ts"

export class OrganizationStatisticsApi extends HttpApiGroup.make("organizationStatistics")
  .annotateMerge(tag("Organization statistics", "Counts and sums of one organization."))
  .add(
    HttpApiEndpoint.get("get", "/:id/statistics", {
      params: { id: inText(OrganizationId) },
      success: data(OrganizationStatistics)
    }).annotateMerge(
      operation(
        "Get the statistics of an organization",
        "Counts customers, documents, expenses and users, and sums what is outstanding per currency."
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/organizations") {}

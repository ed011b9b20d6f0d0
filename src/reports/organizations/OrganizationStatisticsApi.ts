import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { data } from "../../kernel/Envelope.ts"
import { inText, OrganizationId } from "../../kernel/Ids.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { OrganizationStatistics } from "./OrganizationStatistics.ts"

export class OrganizationStatisticsApi extends HttpApiGroup.make("organizationStatistics")
  .add(
    HttpApiEndpoint.get("get", "/:id/statistics", {
      params: { id: inText(OrganizationId) },
      success: data(OrganizationStatistics)
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/organizations") {}

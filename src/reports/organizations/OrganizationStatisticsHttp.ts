import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../../platform/http/Contract.ts"
import { OrganizationStatisticsApi } from "./OrganizationStatisticsApi.ts"
import { OrganizationStatisticsReader } from "./OrganizationStatisticsReader.ts"

export const OrganizationStatisticsHttp = HttpApiBuilder.group(
  contract.add(OrganizationStatisticsApi),
  "organizationStatistics",
  Effect.fn(function* (handlers) {
    const statistics = yield* OrganizationStatisticsReader
    return handlers.handleAll({ get: () => statistics.get })
  })
)

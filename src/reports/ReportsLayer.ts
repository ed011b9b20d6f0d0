import { Layer } from "effect"
import { CustomerReports } from "./customers/CustomerReports.ts"
import { CustomerReportsHttp } from "./customers/CustomerReportsHttp.ts"
import { OrganizationStatisticsHttp } from "./OrganizationStatisticsHttp.ts"
import { OrganizationStatisticsReader } from "./OrganizationStatisticsReader.ts"

const ReportsServices = Layer.mergeAll(CustomerReports.layer, OrganizationStatisticsReader.layer)

export const ReportsHttp = Layer.mergeAll(CustomerReportsHttp, OrganizationStatisticsHttp).pipe(
  Layer.provide(ReportsServices)
)

import { Layer } from "effect"
import { CustomerReports } from "./customers/CustomerReports.ts"
import { CustomerReportsHttp } from "./customers/CustomerReportsHttp.ts"
import { Dashboards } from "./dashboard/Dashboards.ts"
import { RecordExports } from "./export/RecordExports.ts"
import { OrganizationStatisticsHttp } from "./organizations/OrganizationStatisticsHttp.ts"
import { OrganizationStatisticsReader } from "./organizations/OrganizationStatisticsReader.ts"
import { ProfitReports } from "./profit/ProfitReports.ts"
import { Receivables } from "./receivables/Receivables.ts"
import { ReportsHttp } from "./ReportsHttp.ts"
import { RevenueReports } from "./sales/RevenueReports.ts"
import { VatReports } from "./taxes/VatReports.ts"

const ReportsServices = Layer.mergeAll(
  CustomerReports.layer,
  OrganizationStatisticsReader.layer,
  Receivables.layer,
  Dashboards.layer,
  RecordExports.layer,
  ProfitReports.layer,
  RevenueReports.layer,
  VatReports.layer
)

export const ReportsLayer = Layer.mergeAll(CustomerReportsHttp, OrganizationStatisticsHttp, ReportsHttp).pipe(
  Layer.provide(ReportsServices)
)

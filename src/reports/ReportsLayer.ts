import { Layer } from "effect"
import { OrganizationStatisticsHttp } from "./OrganizationStatisticsHttp.ts"
import { OrganizationStatisticsReader } from "./OrganizationStatisticsReader.ts"

export const ReportsServices = OrganizationStatisticsReader.layer

export const ReportsHttp = OrganizationStatisticsHttp.pipe(Layer.provide(ReportsServices))

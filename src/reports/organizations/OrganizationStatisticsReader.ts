import { Context, Effect, Layer } from "effect"
import { today } from "../../kernel/Calendar.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { OrganizationStatistics } from "./OrganizationStatistics.ts"
import { OrganizationStatisticsRepo } from "./OrganizationStatisticsRepo.ts"

export class OrganizationStatisticsReader extends Context.Service<
  OrganizationStatisticsReader,
  { readonly get: Effect.Effect<OrganizationStatistics, never, CurrentOrganization> }
>()("invoicing/reports/organizations/OrganizationStatisticsReader") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* OrganizationStatisticsRepo
      const { reading } = yield* Database

      const get = Effect.gen(function* () {
        const { id: organization_id, timezone } = yield* CurrentOrganization
        return yield* repo.count({ organization_id, today: yield* today(timezone) })
      }).pipe(reading, Effect.withSpan("OrganizationStatisticsReader.get"))

      return OrganizationStatisticsReader.of({ get })
    })
  ).pipe(Layer.provide(OrganizationStatisticsRepo.layer))
}

import { expect, it } from "vitest"
import { requestDuring } from "../../../support/service/Meanwhile.ts"
import { useDeclarants } from "./Declarant.ts"

const { app, declarant } = await useDeclarants()

it("a report that another process made first does not hide sales that it lacks", async () => {
  const books = await declarant()
  // Opens the reporting periods, none of which has a sale yet.
  await books.run()
  await books.sold(books.consumer)
  const other = `insert into french_reports (organization_id, id, environment, kind, period_start, version, type, status,
      content_sha256, xml, documents, recorded_at)
    select organization_id, gen_random_uuid(), environment, kind, period_start, 1, 'IN', 'refused', 'other', '<a/>', 0, now()
    from french_periods where organization_id = ${books.id} and kind = 'transactions' and period_start = '2025-03-01'`
  await requestDuring(app, [other], books.run)
  expect(await books.run()).toBe("done")
  expect((await books.reports()).filter(({ period_start }) => period_start === "2025-03-01")).toMatchObject([
    { kind: "transactions", version: 2 }
  ])
})

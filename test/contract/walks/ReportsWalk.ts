import type { Ask } from "./Walk.ts"

export const walkReports = async (ask: Ask) => {
  const period = "start_date=2026-01-01&end_date=2026-12-31"
  const reversed = "start_date=2026-12-31&end_date=2026-01-01"
  await ask(200, "GET /reports/aged-receivables?as_of=2026-12-31")
  await ask(200, "GET /reports/dashboard?period=this_year")
  await ask(422, "GET /reports/dashboard?period=decade")
  await ask(200, "GET /reports/top-customers?limit=5")
  for (const report of ["profit-loss", "revenue", "vat"]) {
    await ask(200, `GET /reports/${report}?${period}`)
    await ask(422, `GET /reports/${report}?${reversed}`)
  }
  for (const group_by of ["week", "customer"]) await ask(200, `GET /reports/revenue?${period}&group_by=${group_by}`)
  await ask(200, `GET /reports/vat?${period}&grouping=quarterly`)
  await ask(200, "POST /reports/export", { resource: "expenses", format: "json" })
  await ask(422, "POST /reports/export", { resource: "secrets" })
}

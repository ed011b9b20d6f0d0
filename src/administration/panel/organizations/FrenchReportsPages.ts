import { Effect } from "effect"
import type { ShownReport } from "../../../einvoicing/france/reports/FrenchReport.ts"
import { FrenchReports } from "../../../einvoicing/france/reports/FrenchReports.ts"
import { CurrencyCode, exponentOf } from "../../../kernel/Currency.ts"
import { formatAmount } from "../../../kernel/Money.ts"
import { html } from "../../../platform/pages/Html.ts"
import { listPage, moment, pageRowsOf, terms } from "../PanelList.ts"
import type { PanelRequest } from "../Panel.ts"
import { organizationOf, partOf } from "./OrganizationsPages.ts"

const reportsOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const { id, name } = yield* organizationOf(asked)
  return { name, ...(yield* (yield* FrenchReports).list(id)) }
})

type Shown = typeof ShownReport.Type
const kinds: Readonly<Record<Shown["kind"], string>> = {
  transactions: "Sales",
  payments: "Payments",
  purchases: "Purchases abroad"
}

type Row = Parameters<typeof terms>[0][number]

const cents = exponentOf(CurrencyCode.make("EUR"))

const authority_statuses: Readonly<Record<string, string>> = {
  "300": "deposited",
  "301": "rejected",
  "501": "unreadable"
}

const totalsOf = ({ documents, kind, total }: Shown): ReadonlyArray<Row> =>
  documents === null || total === null
    ? []
    : [
        [kind === "payments" ? "Payments" : "Documents", documents],
        [kind === "payments" ? "Received" : "Tax", `${formatAmount(total, cents)} EUR`]
      ]

const statusesOf = (report: Shown): ReadonlyArray<Row> => {
  const { answered_at, authority_at, authority_code, reason, reference, submitted_at } = report
  return [
    ["Handed over", submitted_at === null ? "not yet" : moment(submitted_at)],
    ...(answered_at === null ? [] : [["Judged by the platform", moment(answered_at)] as const]),
    ...(authority_at === null || authority_code === null
      ? []
      : ([
          ["Status at the tax authority", [authority_code, authority_statuses[authority_code] ?? ""].join(" ").trim()],
          ["Told", moment(authority_at)]
        ] as const)),
    ...(reason === null ? [] : [["Reasons", reason] as const]),
    ...(reference === null ? [] : [["Reference", reference] as const])
  ]
}

const isOf =
  (only: string | undefined) =>
  ({ problems, status }: Shown): boolean => {
    if (only === "incomplete") return problems.length > 0
    return only === undefined || (only === "refused" ? status === "refused" : status !== null)
  }

export const FrenchReportsRoutes = listPage(partOf("french-reports", "French e-reporting"), {
  load: reportsOf,
  title: ({ name }) => `French e-reporting of ${name}`,
  before: ({ missing }) =>
    missing.length === 0 ? html`` : html`<p>Nothing is reported until these are set: ${missing.join(", ")}.</p>`,
  filter: { name: "only", label: "Only", choices: ["reported", "refused", "incomplete"] },
  rows: (request, { reports }, only) => Effect.succeed(pageRowsOf(reports.filter(isOf(only)), request)),
  row: (report) => {
    const { due_date, environment, kind, period_end, period_start, problems, status, type, version } = report
    return {
      name: `${kinds[kind]} from ${period_start} to ${period_end}`,
      tags: [environment, status ?? "nothing to report", ...(problems.length === 0 ? [] : ["documents left out"])],
      small: html`Due on ${due_date}${status === null ? "" : `; version ${version} (${type})`}`,
      more: terms([
        ...totalsOf(report),
        ...(status === null ? [] : statusesOf(report)),
        ...problems.map(({ number, reason }): Row => [`Left out: ${number}`, reason])
      ])
    }
  },
  none: "There is no period to report."
})

import type { Receipt } from "./receipts/Receipt.ts"
import { verdicts, type Extracted, type Scored, type Verdict } from "./Score.ts"

export interface Result {
  readonly receipt: Pick<Receipt, "name" | "truth" | "classes">
  readonly extracted: Extracted
}

/** Percentage of the evaluation receipts on which the service should read each field correctly. */
const aims: Readonly<Partial<Record<Scored, number>>> = { amount: 97, expense_date: 97, currency: 99, vendor: 90 }
const wrong_done_percent_max = 0.5

const columns: ReadonlyArray<readonly [Scored, string]> = [
  ["amount", "amount"],
  ["expense_date", "date"],
  ["currency", "curr."],
  ["vendor", "vendor"],
  ["tax_amount", "tax"],
  ["tax_rates", "rates"],
  ["reference", "ref."],
  ["payment_method", "paid by"],
  ["category", "categ."]
]

type Judged = Result & { readonly verdicts: Readonly<Record<Scored, Verdict>> }

const judged = (results: ReadonlyArray<Result>): ReadonlyArray<Judged> =>
  results.map((result) => ({ ...result, verdicts: verdicts(result.extracted, result.receipt.truth) }))

const accuracy = (results: ReadonlyArray<Judged>, field: Scored): number => {
  const said = results.filter(({ verdicts }) => verdicts[field] !== "unsaid")
  return (100 * said.filter(({ verdicts }) => verdicts[field] === "right").length) / said.length
}

const percent = (value: number): string => (Number.isNaN(value) ? "-" : value.toFixed(1))
const label_width = 22
const column_width = 8

const cells = (label: string, values: ReadonlyArray<string>): string =>
  label.padEnd(label_width) + values.map((value) => value.padStart(column_width)).join("")

const line = (label: string, results: ReadonlyArray<Judged>): string => {
  const share = (status: Extracted["status"]) =>
    (100 * results.filter(({ extracted }) => extracted.status === status).length) / results.length
  return cells(label, [
    String(results.length),
    ...columns.map(([field]) => percent(accuracy(results, field))),
    ...(["done", "needs_review", "failed"] as const).map((status) => percent(share(status))),
    String(wrongDone(results).length)
  ])
}

const wrongDone = (results: ReadonlyArray<Judged>) =>
  results.filter(({ extracted, verdicts }) => extracted.status === "done" && verdicts.amount !== "right")

/** Prints the accuracy of every field in percent: overall, and for each class of receipts. */
export const printReport = (all: ReadonlyArray<Result>): void => {
  const results = judged(all)
  const classes = [...new Set(results.flatMap(({ receipt }) => receipt.classes))].toSorted()
  console.log(cells("", ["n", ...columns.map(([, title]) => title), "done", "review", "failed", "wrong"]))
  console.log(line("all", results))
  for (const name of classes) {
    console.log(
      line(
        name,
        results.filter(({ receipt }) => receipt.classes.includes(name))
      )
    )
  }
  console.log('\nPercent right of what the paper says; "wrong" counts wrong amounts among the done.')
}

export const printMistakes = (all: ReadonlyArray<Result>, field: Scored): void => {
  for (const { extracted, receipt, verdicts } of judged(all)) {
    if (verdicts[field] === "right" || verdicts[field] === "unsaid") continue
    const found = JSON.stringify(extracted.fields[field])
    console.log(`${receipt.name} ${extracted.status}: ${field} ${found}, not ${JSON.stringify(receipt.truth[field])}`)
  }
}

export const missedAims = (all: ReadonlyArray<Result>): ReadonlyArray<string> => {
  const results = judged(all)
  const missed = columns.flatMap(([field, title]) => {
    const aim = aims[field]
    const reached = accuracy(results, field)
    return aim === undefined || reached >= aim ? [] : [`${title}: ${percent(reached)} %, aim ${aim} %`]
  })
  const done = results.filter(({ extracted }) => extracted.status === "done")
  const wrong = (100 * wrongDone(results).length) / Math.max(1, done.length)
  const isTooWrong = wrong > wrong_done_percent_max
  return isTooWrong
    ? [...missed, `wrong amounts among the done: ${percent(wrong)} %, at most ${wrong_done_percent_max} %`]
    : missed
}

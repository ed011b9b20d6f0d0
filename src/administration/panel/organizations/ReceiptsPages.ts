import { Effect, Layer, Schema } from "effect"
import { ReceiptRef } from "../../../kernel/Ids.ts"
import { orNotFound } from "../../../kernel/Refusal.ts"
import { ReceiptReviews } from "../../../expenses/receipts/review/ReceiptReviews.ts"
import { type Html, html } from "../../../platform/pages/Html.ts"
import { showPage } from "../Panel.ts"
import { listPage, moment, terms } from "../PanelList.ts"
import { organizationOf, partOf } from "./OrganizationsPages.ts"

const place = partOf("receipts", "receipts")

type Review = Effect.Success<ReturnType<ReceiptReviews["Service"]["get"]>>

const states = {
  processing: "waiting or being read",
  done: "done",
  needs_review: "needs review",
  failed: "failed"
} as const

const list = listPage(place, {
  load: organizationOf,
  title: ({ name }) => `Receipts of ${name}`,
  rows: (request, { id }) =>
    Effect.flatMap(ReceiptReviews, (reviews) =>
      Effect.map(reviews.list(id, request), (slice) => ({
        ...slice,
        rows: slice.rows.map((row) => ({ ...row, organization_id: id }))
      }))
    ),
  row: ({ amount, created_at, currency, file_name, organization_id, receipt_ref, status, vendor }) => ({
    name: vendor ?? file_name,
    href: `/admin/organizations/${organization_id}/receipts/${receipt_ref}`,
    tags: [states[status]],
    small: html`${[amount, currency].filter((part) => part !== null).join(" ")} · ${moment(created_at)}`
  }),
  none: "No receipt has been uploaded."
})

const decodeRef = Schema.decodeUnknownOption(ReceiptRef)

const show = showPage(
  { path: `${place.path}/:receipt_ref`, up: place },
  Effect.fnUntraced(function* (asked) {
    const { id } = yield* organizationOf(asked)
    const ref = yield* orNotFound(Effect.sync(() => decodeRef(asked.params["receipt_ref"])))
    const review = yield* (yield* ReceiptReviews).get(id, ref)
    const { created_at, expense_id, file_name, status } = review.receipt
    return {
      title: file_name === "" ? "Receipt" : file_name,
      body: html`<section class="card">
          ${terms([
            ["Status", progressOf(review)],
            ["Uploaded", moment(created_at)],
            ...(expense_id === null ? [] : [["Expense", expense_id] as const])
          ])}
        </section>
        ${status === "processing" ? null : fieldsOf(review)} ${pictureOf(review)}`
    }
  })
)

const progressOf = ({ progress, receipt }: Review): string => {
  if (progress === undefined) return states[receipt.status]
  if (progress.state === "reading") return `being read for ${progress.seconds} s`
  return progress.position === 0 ? "queued" : `queued, number ${progress.position} in the queue`
}

const labels = {
  amount: "Amount",
  currency: "Currency",
  expense_date: "Date",
  vendor: "Vendor",
  category: "Category",
  tax_amount: "Tax",
  reference: "Reference",
  payment_method: "Payment"
} as const

const labelled = [
  "amount",
  "currency",
  "expense_date",
  "vendor",
  "category",
  "tax_amount",
  "reference",
  "payment_method"
] as const

const fieldsOf = ({ receipt: { result } }: Review): Html => {
  if (result === null) return html``
  const sureness: Readonly<Record<string, number | undefined>> = result.confidence
  const rows = labelled.flatMap((field) => {
    const value = result.fields[field]
    const confidence = sureness[field]
    if (value === undefined) return []
    return [
      [labels[field], confidence === undefined ? value : `${value} (${Math.round(confidence * 100)} % sure)`] as const
    ]
  })
  const doubts = [...(result.error === null ? [] : [result.error.message]), ...result.warnings]
  return html`<section class="card">
    <h2>Fields</h2>
    ${rows.length === 0 ? html`<p>Nothing was read.</p>` : terms(rows)}
    <h2>Doubts and sources</h2>
    ${
      doubts.length === 0
        ? html`<p>Nothing is doubtful.</p>`
        : html`<ul>
            ${doubts.map((doubt) => html`<li>${doubt}</li>`)}
          </ul>`
    }
  </section>`
}

/** Boxes around the fields that were read, as SVG, because the page's security policy allows no inline styles. */
const pictureOf = ({ picture, progress, receipt: { trace } }: Review): Html | null => {
  if (progress !== undefined) return null
  const [page] = trace?.pages ?? []
  if (picture === undefined || page === undefined)
    return html`<p class="muted">There is no picture: the file has no pages, or the readers are busy.</p>`
  const { height, width } = page
  const places = trace?.places.filter((one) => one.page === 0) ?? []
  const line = Math.max(width, height) / 400
  return html`<section class="card">
    <h2>First page</h2>
    <svg
      class="page"
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label="The first page, with boxes around ${places.length === 0 ? "no field" : places.map(({ field }) => labels[field].toLowerCase()).join(", ")}"
    >
      <image
        href="data:image/webp;base64,${Buffer.from(picture).toString("base64")}"
        width="${width}"
        height="${height}"
        preserveAspectRatio="none"
      />
      ${places.map(
        ({ field, x0, x1, y0, y1 }) =>
          html`<rect
            x="${x0}"
            y="${y0}"
            width="${x1 - x0}"
            height="${y1 - y0}"
            fill="none"
            stroke="#1a5fb4"
            stroke-width="${line}"
          >
            <title>${labels[field]}</title>
          </rect>`
      )}
    </svg>
  </section>`
}

export const ReceiptsRoutes = Layer.mergeAll(list, show)

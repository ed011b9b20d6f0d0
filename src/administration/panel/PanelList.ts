import { limitOf, type PageRequest, type PageRows } from "../../kernel/Envelope.ts"
import { type Html, html } from "../../platform/pages/Html.ts"

/** Cuts one page from a list that is small enough to be read as a whole. */
export const pageRowsOf = <A>(all: ReadonlyArray<A>, request: PageRequest): PageRows<A> => {
  const start = ((request.page ?? 1) - 1) * limitOf(request)
  return { rows: all.slice(start, start + limitOf(request)), total: all.length }
}

interface List<A> {
  readonly slice: PageRows<A>
  readonly request: PageRequest
  /** Address of the list with its filter, to which the page is added. */
  readonly path: string
  readonly query?: URLSearchParams
  readonly row: (record: A) => Html
  readonly none: string
}

/** A card with the records of one page, and links to the other pages. */
export const panelList = <A>({ none, path, query, request, row, slice }: List<A>): Html => {
  const page = request.page ?? 1
  const last = Math.max(1, Math.ceil(slice.total / limitOf(request)))
  const to = (page: number) => {
    const parameters = new URLSearchParams(query)
    parameters.set("page", String(page))
    return `${path}?${parameters.toString()}`
  }
  const rows =
    slice.rows.length === 0
      ? html`<p>${slice.total === 0 ? none : "There is nothing on this page."}</p>`
      : html`<ul class="plain">
          ${slice.rows.map((record) => html`<li class="row">${row(record)}</li>`)}
        </ul>`
  const pages =
    last === 1 && page === 1
      ? null
      : html`<nav class="row" aria-label="Pages">
          <span class="muted">Page ${page} of ${last}, ${slice.total} in all</span>
          <div class="actions">
            ${page > 1 ? html`<a class="button quiet" href="${to(Math.min(page - 1, last))}">Previous page</a>` : null}
            ${page < last ? html`<a class="button quiet" href="${to(page + 1)}">Next page</a>` : null}
          </div>
        </nav>`
  return html`<section class="card">${rows}${pages}</section>`
}

export const terms = (rows: ReadonlyArray<readonly [name: string, value: string | number | Html]>): Html =>
  html`<dl>
    ${rows.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`
    )}
  </dl>`

/** Writes a time such as `2026-03-01 10:00 UTC`. */
export const moment = (timestamp: string): Html =>
  html`<time datetime="${timestamp}">${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC</time>`

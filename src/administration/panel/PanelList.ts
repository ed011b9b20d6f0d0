import { Effect, Schema } from "effect"
import { limitOf, type PageRequest, type PageRows } from "../../kernel/Envelope.ts"
import type { NotFound } from "../../kernel/Refusal.ts"
import { Line } from "../../kernel/Text.ts"
import { type Html, html } from "../../platform/pages/Html.ts"
import { addressOf, type PanelRequest, type Place, showPage } from "./Panel.ts"
import { pageOf, textOf } from "./PanelInput.ts"

/** Returns one page of a list that was read as a whole, because it is small. */
export const pageRowsOf = <A>(all: ReadonlyArray<A>, request: PageRequest): PageRows<A> => {
  const start = ((request.page ?? 1) - 1) * limitOf(request)
  return { rows: all.slice(start, start + limitOf(request)), total: all.length }
}

interface Row {
  readonly name: string
  /** URL of the record's page. Without it, the record's name is not a link. */
  readonly href?: string
  readonly tags?: ReadonlyArray<string>
  readonly small?: Html | string
  readonly more?: Html
  /** Labels of the links to forms about the record, by the part of the form's URL that follows the URL of the list. */
  readonly actions?: Readonly<Record<string, string>>
}

/** A filter above a list: a text to search for, or a choice. */
interface Filter {
  readonly name: string
  readonly label: string
  readonly choices?: ReadonlyArray<string>
}

interface List<A, Parent, Loading, Reading> {
  readonly load: (asked: PanelRequest) => Effect.Effect<Parent, NotFound, Loading>
  readonly title: string | ((parent: Parent) => string)
  readonly filter?: Filter
  /** Labels of the links to forms that add records, by the part of the form's URL that follows the URL of the list. */
  readonly buttons?: Readonly<Record<string, string>>
  readonly before?: (parent: Parent, filter: string | undefined) => Html
  readonly rows: (
    request: PageRequest,
    parent: Parent,
    filter: string | undefined
  ) => Effect.Effect<PageRows<A>, NotFound, Reading>
  readonly row: (record: A) => Row
  /** The sentence that an empty list shows. */
  readonly none: string
}

const isLine = Schema.is(Line)

export const listPage = <A, Parent, Loading, Reading>(place: Place, list: List<A, Parent, Loading, Reading>) =>
  showPage(
    place,
    Effect.fnUntraced(function* (asked) {
      const { before, buttons = {}, filter, load, none, row, title } = list
      const parent = yield* load(asked)
      const typed = filter === undefined ? undefined : textOf(asked.query, filter.name)
      const value = isLine(typed) && filter?.choices?.includes(typed) !== false ? typed : undefined
      const request = pageOf(asked.query)
      const slice = yield* list.rows(request, parent, value)
      const path = addressOf(place, asked)
      const query = new URLSearchParams(filter === undefined || value === undefined ? {} : { [filter.name]: value })
      return {
        title: typeof title === "string" ? title : title(parent),
        body: html`${filter === undefined ? null : filterForm(filter, value)}
        ${
          Object.keys(buttons).length === 0
            ? null
            : html`<p class="row">
                ${Object.entries(buttons).map(
                  ([to, label], index) =>
                    html`<a class="${index === 0 ? "button" : "button quiet"}" href="${path}/${to}">${label}</a> `
                )}
              </p>`
        }
        ${before?.(parent, value)}
        ${panelList({ slice, request, path, query, none, row: (record) => drawn(row(record), path) })}`
      }
    })
  )

const filterForm = ({ choices, label, name }: Filter, value = ""): Html =>
  html`<form class="search" method="get" role="search">
    <div>
      <label for="${name}">${label}</label>
      ${
        choices === undefined
          ? html`<input id="${name}" name="${name}" type="search" value="${value}" maxlength="255" />`
          : html`<select id="${name}" name="${name}">
              ${["", ...choices].map(
                (one) =>
                  html`<option value="${one}" ${one === value ? html` selected` : null}>
                    ${one === "" ? "any" : one}
                  </option>`
              )}
            </select>`
      }
    </div>
    <button>${choices === undefined ? "Search" : "Show"}</button>
  </form>`

const drawn = ({ actions = {}, href, more, name, small, tags = [] }: Row, path: string): Html => {
  const head = [
    href === undefined ? name : html`<a href="${href}">${name}</a>`,
    ...tags.map((tag) => html` <span class="tag">${tag}</span>`)
  ]
  return html`<div>${head} ${small === undefined ? null : html`<br /><small>${small}</small>`} ${more}</div>
    ${
      Object.keys(actions).length === 0
        ? null
        : html`<div class="actions">
            ${Object.entries(actions).map(
              ([to, label]) =>
                html`<a class="button quiet" href="${path}/${to}" aria-label="${label}: ${name}">${label}</a> `
            )}
          </div>`
    }`
}

interface Slice<A> {
  readonly slice: PageRows<A>
  readonly request: PageRequest
  readonly path: string
  /** The parameters of the filter, which the links to the other pages of the list repeat. */
  readonly query?: URLSearchParams
  readonly row: (record: A) => Html
  readonly none: string
}

/** A card with the records of one page, and links to the other pages. */
const panelList = <A>({ none, path, query, request, row, slice }: Slice<A>): Html => {
  const page = request.page ?? 1
  const last = Math.max(1, Math.ceil(slice.total / limitOf(request)))
  const to = (page: number) => {
    const parameters = new URLSearchParams(query)
    parameters.set("page", String(page))
    return `${path}?${parameters.toString()}`
  }
  const rows =
    slice.rows.length === 0
      ? html`<p>${slice.total === 0 ? none : "This page is empty."}</p>`
      : html`<ul class="plain">
          ${slice.rows.map((record) => html`<li class="row">${row(record)}</li>`)}
        </ul>`
  const pages =
    last === 1 && page === 1
      ? null
      : html`<nav class="row" aria-label="Pages">
          <span class="muted"
            >${page > last ? `${slice.total} in all` : `Page ${page} of ${last}, ${slice.total} in all`}</span
          >
          <div class="actions">
            ${page > 1 ? html`<a class="button quiet" href="${to(Math.min(page - 1, last))}">${page > last ? "Last page" : "Previous page"}</a>` : null}
            ${page < last ? html`<a class="button quiet" href="${to(page + 1)}">Next page</a>` : null}
          </div>
        </nav>`
  return html`<section class="card">${rows}${pages}</section>`
}

export const terms = (rows: ReadonlyArray<readonly [name: string, value: string | number | Html]>): Html =>
  html`<dl class="pairs">
    ${rows.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value === "" ? html`<span class="muted">none</span>` : value}</dd>
        </div>`
    )}
  </dl>`

/** Writes a time such as `2026-03-01 10:00 UTC`. */
export const moment = (timestamp: string): Html =>
  html`<time datetime="${timestamp}">${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC</time>`

import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answerStatic } from "../platform/http/answers/StaticText.ts"
import { type Html, html } from "../platform/pages/Html.ts"
import type { Node } from "../reference/Schemas.ts"
import { type Chapter, docsHeaders, docsText } from "./DocsFrame.ts"
import { readShelves, type Shelf } from "./Library.ts"
import { referenceOf } from "./Reference.ts"
import { found_max, search } from "./Search.ts"

/** Serves guides, rules and API reference below `/docs`, as static text without scripts. */
export const docsRoutes = (document: () => Node) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const site = yield* Effect.cached(Effect.sync(() => siteOf(document())))
      const served = Effect.gen(function* () {
        const { path, query } = yield* asked
        const { page, searched, unknown } = yield* site
        if (path === search_path) return searched(query)
        const text = page(path)
        return text === undefined ? unknown() : yield* answerStatic(text)
      })
      yield* router.add("GET", "/docs/*", served)
    })
  )

const search_path = "/docs/search"
const query_characters_max = 200

const asked = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => {
  const { pathname, searchParams } = new URL(url, "http://localhost")
  return { path: pathname.replace(/\/$/, ""), query: (searchParams.get("q") ?? "").slice(0, query_characters_max) }
})

const siteOf = (document: Node) => {
  const shelves = readShelves()
  const { chapterPage, chapters, entries, recordPage } = referenceOf(document)
  const navigation: ReadonlyArray<Chapter> = [
    ...shelves.map(({ title, volumes }) => ({ title, links: volumes })),
    { title: "API reference", links: chapters }
  ]
  const volumes = shelves.flatMap(({ volumes }) => volumes)
  const pages = new Map<string, { readonly title: string; readonly body: () => Html }>([
    ["/docs", { title: "Documentation", body: () => welcome(shelves, chapters) }],
    ...volumes.map(({ body, path, title }) => [path, { title, body: () => body }] as const),
    ...chapters.map((chapter) => [chapter.path, { title: chapter.title, body: () => chapterPage(chapter) }] as const)
  ])
  const made = new Map<string, ReturnType<typeof docsText>>()
  const record = (path: string) => {
    const name = /^\/docs\/records\/(\w+)$/.exec(path)?.[1]
    const body = name === undefined ? undefined : recordPage(name)
    return name === undefined || body === undefined ? undefined : { title: name, body: () => body }
  }
  const page = (path: string) => {
    const known = made.get(path)
    if (known !== undefined) return known
    const found = pages.get(path) ?? record(path)
    if (found === undefined) return undefined
    const text = docsText({ path, title: found.title, body: found.body() }, navigation)
    made.set(path, text)
    return text
  }
  const find = search([
    ...volumes.flatMap(({ path, sections, title }) =>
      sections.map(({ id, text, title: heading }) => ({ path: `${path}#${id}`, title: heading, page: title, text }))
    ),
    ...entries
  ])
  const answered = (page: Parameters<typeof docsText>[0], status = 200) => {
    const { contentType, plain } = docsText(page, navigation)
    return HttpServerResponse.uint8Array(plain, { status, contentType, headers: docsHeaders })
  }
  const searched = (query: string) =>
    answered({ path: search_path, title: "Search", body: results(query, find(query)), query })
  const unknown = () => answered({ path: "", title: "Not found", body: nowhere }, not_found)
  return { page, searched, unknown }
}

const not_found = 404
const nowhere = html`<h1>Not found</h1>
  <p>There is no such page. <a href="/docs">The documentation</a> has a search.</p>`

const linkList = (links: ReadonlyArray<{ readonly path: string; readonly title: string; readonly summary: string }>) =>
  html`<dl>
    ${links.map(
      ({ path, summary, title }) =>
        html`<div>
          <dt><a href="${path}">${title}</a></dt>
          <dd>${summary}</dd>
        </div>`
    )}
  </dl>`

const welcome = (
  shelves: ReadonlyArray<Shelf>,
  chapters: ReadonlyArray<{ readonly path: string; readonly title: string; readonly description: string }>
): Html =>
  html`<h1>Documentation</h1>
    <p>
      Guides, the rules that the service follows, and a reference of every operation. The reference is made of the
      OpenAPI 3.1 document: <a href="/openapi.json">JSON</a>, <a href="/openapi.yaml">YAML</a>. The running service also
      serves <a href="/docs/client">a typed client</a>.
    </p>
    ${shelves.map(
      ({ title, volumes }) =>
        html`<h2>${title}</h2>
          ${linkList(volumes)}`
    )}
    <h2>API reference</h2>
    ${linkList(chapters.map(({ description, path, title }) => ({ path, title, summary: description })))}`

const summaryOf = (query: string, count: number): string => {
  if (query === "") return "Write a word into the field above."
  if (count === found_max) return `The first ${count} places for “${query}”. More words find fewer.`
  if (count === 0) return `Nothing contains “${query}”. Try fewer or shorter words.`
  return count === 1 ? `One place for “${query}”.` : `${count} places for “${query}”.`
}

const results = (query: string, found: ReturnType<ReturnType<typeof search>>): Html =>
  html`<h1>Search</h1>
    <p>${summaryOf(query, found.length)}</p>
    <ul class="found">
      ${found.map(
        ({ entry, excerpt }) =>
          html`<li>
            <a href="${entry.path}">${entry.title}</a> <span class="muted">${entry.page}</span>
            <p>${excerpt}</p>
          </li>`
      )}
    </ul>`

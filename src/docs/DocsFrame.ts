import { staticText } from "../platform/http/answers/StaticText.ts"
import { type Html, html } from "../platform/pages/Html.ts"
import { icon, styleOf } from "../platform/pages/PageFrame.ts"
import { docsStyle } from "./DocsStyle.ts"

interface Link {
  readonly path: string
  readonly title: string
}

export interface Chapter {
  readonly title: string
  readonly links: ReadonlyArray<Link>
}

interface DocsPage {
  readonly path: string
  readonly title: string
  readonly body: Html
  readonly query?: string
}

const style = styleOf(docsStyle)

/** The pages have no scripts and load nothing. The search is a form that submits to this server. */
const contentSecurityPolicy = `default-src 'none'; style-src ${style.source}; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`

export const docsHeaders = {
  "content-security-policy": contentSecurityPolicy,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin"
}

const frame = ({ body, path, query = "", title }: DocsPage, chapters: ReadonlyArray<Chapter>): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Invoicing</title>
        ${icon(null)}${style.element}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <a class="brand" href="/docs">Invoicing</a>
          <a class="contents" href="#contents">Contents</a>
          <form action="/docs/search" role="search">
            <label for="q">Search the documentation</label>
            <input id="q" name="q" type="search" value="${query}" placeholder="Search" />
          </form>
        </header>
        <div class="columns">
          <main id="main">${body}</main>
          <nav id="contents" aria-label="Documentation">${chapters.map((chapter) => chapterList(chapter, path))}</nav>
        </div>
      </body>
    </html>`

const chapterList = ({ links, title }: Chapter, current: string): Html =>
  html`<h2>${title}</h2>
    <ul>
      ${links.map(({ path, title }) =>
        path === current
          ? html`<li><a href="${path}" aria-current="page">${title}</a></li>`
          : html`<li><a href="${path}">${title}</a></li>`
      )}
    </ul>`

export const docsText = (page: DocsPage, chapters: ReadonlyArray<Chapter>) =>
  staticText(frame(page, chapters).markup, "text/html; charset=utf-8", docsHeaders)

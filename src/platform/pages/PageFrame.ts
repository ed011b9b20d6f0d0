import { HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { Html, html } from "./Html.ts"
import type { PageLanguage } from "./PageLanguage.ts"
import { pageStyle } from "./PageStyle.ts"

export interface HtmlPage {
  readonly language: PageLanguage
  readonly title: string
  readonly body: Html
  /** Shown at the right of the brand, e.g. a log-out button. */
  readonly aside?: Html
  /** True for a form or a question, which needs less width than lists. */
  readonly narrow?: boolean
}

interface PageAnswer extends HtmlPage {
  readonly status?: number
  readonly headers?: Record<string, string>
  /** Targets of the page's forms besides this server (CSP `form-action`, which also applies to redirects). */
  readonly formTargets?: ReadonlyArray<string>
}

const style = new Html(`<style>${pageStyle}</style>`)
const style_hash = createHash("sha256").update(pageStyle).digest("base64")

const skip: Record<PageLanguage, string> = {
  en: "Skip to the content",
  fr: "Aller au contenu",
  nl: "Naar de inhoud",
  de: "Zum Inhalt",
  es: "Ir al contenido",
  it: "Vai al contenuto"
}

/** A whole document without scripts or external resources. */
const pageFrame = ({ aside, body, language, narrow, title }: HtmlPage): Html =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${style}
      </head>
      <body class="${narrow === true ? "narrow" : "wide"}">
        <a class="skip" href="#main">${skip[language]}</a>
        <header><a class="brand" href="/">Invoicing</a>${aside}</header>
        <main id="main">${body}</main>
      </body>
    </html>`

/** Redirects after a form was handled, so that reloading the next page repeats nothing. */
export const seeOther = (location: string) => HttpServerResponse.redirect(location, { status: 303 })

/** Answers a page whose headers let the browser only show it and submit its forms. */
export const pageAnswer = ({ formTargets = [], headers = {}, status = 200, ...page }: PageAnswer) =>
  HttpServerResponse.text(pageFrame(page).markup, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "content-security-policy":
        `default-src 'none'; style-src 'sha256-${style_hash}'; base-uri 'none'; frame-ancestors 'none'; ` +
        `form-action ${["'self'", ...formTargets].join(" ")}`,
      "x-frame-options": "DENY",
      "cache-control": "no-store",
      // Not `no-referrer`, because browsers would then send `Origin: null` even to the page's own server.
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      ...headers
    }
  })

import { HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { brand_color_default, inkOn } from "./BrandColor.ts"
import { Html, html } from "./Html.ts"
import { directionOf, type PageLanguage } from "./PageLanguage.ts"
import { brandStyle, pageStyle } from "./PageStyle.ts"

interface PageBrand {
  readonly name: string
  /** A PNG file; null for a business without a logo, whose name is shown instead. */
  readonly logo: Uint8Array | null
  /** Colour in the form "#1a5fb4". */
  readonly color: string | null
}

export interface HtmlPage {
  readonly language: PageLanguage
  readonly title: string
  readonly body: Html
  /** Shown to the right of the brand, e.g. a logout button. */
  readonly aside?: Html
  /** Absent on pages of this service itself. */
  readonly brand?: PageBrand | undefined
  /** True for a form or a question, which needs less width than lists. */
  readonly narrow?: boolean
}

interface PageAnswer extends HtmlPage {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly retry_after_seconds?: number | undefined
  /** Further servers to which the page's forms may lead (CSP `form-action`, which also applies to redirects). */
  readonly formTargets?: ReadonlyArray<string>
}

/** A stylesheet within a page, and the source that its Content-Security-Policy allows. */
export const styleOf = (css: string) => ({
  element: new Html(`<style>${css}</style>`),
  source: `'sha256-${createHash("sha256").update(css).digest("base64")}'`
})
const common = styleOf(pageStyle)

const stylesOf = ({ brand }: HtmlPage) =>
  brand === undefined || brand.color === null ? [common] : [common, styleOf(brandStyle(brand.color))]

const sourcesOf = (styles: ReadonlyArray<typeof common>) => styles.map(({ source }) => source).join(" ")

/** Text of the link that keyboard users follow to skip the head of the page. */
export const skip: Readonly<Record<PageLanguage, string>> = {
  en: "Skip to the content",
  fr: "Aller au contenu",
  nl: "Naar de inhoud",
  de: "Zum Inhalt",
  es: "Ir al contenido",
  it: "Vai al contenuto",
  pt: "Ir para o conteúdo",
  pl: "Przejdź do treści",
  ar: "الانتقال إلى المحتوى"
}

/** A whole document without scripts or external resources. */
const pageFrame = (page: HtmlPage): Html => {
  const { aside, body, brand, language, narrow, title } = page
  return html`<!doctype html>
    <html ${spoken(language)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${icon(brand?.color ?? null)}${stylesOf(page).map(({ element }) => element)}
      </head>
      <body class="${narrow === true ? "narrow" : "wide"}">
        <a class="skip" href="#main">${skip[language]}</a>
        <header>${brand === undefined ? html`<a class="brand" href="/">Invoicing</a>` : seller(brand)}${aside}</header>
        <main id="main">${body}</main>
      </body>
    </html>`
}

const spoken = (language: PageLanguage): Html =>
  directionOf(language) === "rtl" ? html`lang="${language}" dir="rtl"` : html`lang="${language}"`

const seller = ({ logo, name }: PageBrand): Html =>
  logo === null ? html`<strong class="seller">${name}</strong>` : logoPicture(name, logo)

export const logoPicture = (alternative: string, png: Uint8Array): Html =>
  html`<img class="seller" alt="${alternative}" ${new Html(`src="${pngAddress(png)}"`)} />`

/**
 * The icon of a browser tab: a sheet of paper in the brand's colour. It is part of the page, so that a browser requests
 * no other file.
 */
export const icon = (color: string | null): Html => {
  const [paper, ink] = [color ?? brand_color_default, inkOn(color ?? brand_color_default)]
  const drawing =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="5" y="2" width="22" height="28" rx="4" ` +
    `fill="${paper}"/><path d="M10 10h12M10 16h12M10 22h7" stroke="${ink}" stroke-width="3"/></svg>`
  return new Html(`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(drawing)}" />`)
}

export const pngAddress = (png: Uint8Array) => `data:image/png;base64,${Buffer.from(png).toString("base64")}`

/** Redirects after a form was handled, so that reloading the next page does not submit the form again. */
export const seeOther = (location: string) => HttpServerResponse.redirect(location, { status: 303 })

/** Answers with a page whose headers allow the browser only to show the page and to submit its forms. */
export const pageAnswer = ({
  formTargets = [],
  headers = {},
  retry_after_seconds,
  status = 200,
  ...page
}: PageAnswer) =>
  HttpServerResponse.text(pageFrame(page).markup, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "content-security-policy":
        `default-src 'none'; style-src ${sourcesOf(stylesOf(page))}; base-uri 'none'; frame-ancestors 'none'; ` +
        `img-src data:; form-action ${["'self'", ...formTargets].join(" ")}`,
      "x-frame-options": "DENY",
      "cache-control": "no-store",
      "content-language": page.language,
      vary: "accept-language",
      // With `no-referrer`, browsers would send `Origin: null` even to the page's own server.
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      ...(retry_after_seconds === undefined ? {} : { "retry-after": String(retry_after_seconds) }),
      ...headers
    }
  })

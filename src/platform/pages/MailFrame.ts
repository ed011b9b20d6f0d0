import { brand_color_default } from "./BrandColor.ts"
import { type Html, html } from "./Html.ts"
import { directionOf, type PageLanguage } from "./PageLanguage.ts"

interface MailPage {
  readonly language: PageLanguage
  readonly title: string
  readonly color?: string
  readonly body: Html
}

/**
 * Builds the HTML part of a message with styles on each element, because mail programs support little else. The frame
 * is a table, because Outlook for Windows ignores `max-width`, and the padding of everything but table cells.
 */
export const mailFrame = ({ body, color = brand_color_default, language, title }: MailPage): Html => {
  const direction = directionOf(language)
  return html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>${title}</title>
      </head>
      <body style="margin: 0; padding: 0; background: #f3f5f8">
        <table
          role="presentation"
          align="center"
          width="600"
          cellspacing="0"
          style="width: 600px; max-width: 100%; table-layout: fixed; background: #ffffff"
        >
          <tr>
            <td
              lang="${language}"
              dir="${direction}"
              style="font: 16px/1.5 'Segoe UI', system-ui, -apple-system, Roboto, sans-serif; color: #16202b; border-top: 5px solid ${color}; padding: 24px; text-align: ${direction === "rtl" ? "right" : "left"}; overflow-wrap: anywhere"
            >
              ${body}
            </td>
          </tr>
        </table>
      </body>
    </html>`
}

/** A paragraph in the text direction of its own script, which may differ from that of the message. */
export const mailParagraph = (lines: ReadonlyArray<Html | string>): Html =>
  html`<p dir="auto" style="margin: 0 0 16px">${mailLines(lines)}</p>`

export const mailLines = (lines: ReadonlyArray<Html | string>) =>
  lines.map((line, index) => (index === 0 ? line : html`<br />${line}`))

/** Shows an address from left to right in every language. */
export const mailLink = (address: string): Html =>
  html`<a dir="ltr" href="${address}" style="color: ${brand_color_default}">${address}</a>`

import type { BigDecimal } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { DocumentKind } from "../../kernel/DocumentKind.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import { html } from "../../platform/pages/Html.ts"
import { documentFormat } from "../printing/DocumentFormat.ts"
import type { DocumentLanguage } from "../printing/DocumentLabels.ts"
import { documentMailTexts, type Fill, fill } from "./DocumentMailTexts.ts"

/** The facts of a document from which its message is written. */
export interface MailedDocument {
  readonly kind: DocumentKind
  readonly id: number
  readonly number: string
  readonly customer_id: CustomerId
  readonly total: BigDecimal.BigDecimal
  readonly currency: CurrencyCode
  /** Last day to pay an invoice or to accept a quote. */
  readonly date: Day | null
}

interface Letter {
  readonly document: MailedDocument
  readonly organization: string
  readonly customer: string
  /** The sender's own text. */
  readonly message: string | null
  readonly attached: boolean
  readonly language: DocumentLanguage
  /** BCP 47 tag for dates and amounts. */
  readonly locale: string
}

/**
 * Prepares the message about a document. The returned function builds the subject, the text part and the HTML part for
 * one recipient's link.
 */
export const documentMessage = (letter: Letter) => {
  const { attached, customer, document, language, locale, message, organization } = letter
  const format = documentFormat(language, locale, document.currency)
  const texts = documentMailTexts[language]
  const words = texts[document.kind]
  const values: Fill = {
    organization,
    customer,
    number: document.number,
    total: format.money(document.total),
    date: document.date === null ? "" : format.day(document.date)
  }
  const subject = fill(words.subject, values)
  const greeting = fill(texts.greeting, values)
  const opening = fill(attached ? words.attached : words.ready, values)
  const facts = [
    [texts.total, values.total],
    ...(document.date === null || words.date === undefined ? [] : [[words.date, values.date]])
  ]
  const own = paragraphs(message)

  return (link: string) => ({
    subject,
    text: [
      greeting,
      ...own.map((lines) => lines.join("\n")),
      opening,
      facts.map(([label, value]) => `${label}: ${value}`).join("\n"),
      `${words.open}:\n${link}`,
      texts.confidential,
      `${texts.regards}\n${organization}\n`
    ].join("\n\n"),
    html: html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${subject}</title>
        </head>
        <body style="font: 16px/1.5 sans-serif; color: #16202b; max-width: 36rem; margin: 0 auto; padding: 1rem">
          <p>${greeting}</p>
          ${own.map((lines) => html`<p>${lines.map((line, index) => (index === 0 ? line : html`<br />${line}`))}</p>`)}
          <p>${opening}</p>
          <table style="border-collapse: collapse; margin: 0 0 1rem">
            ${facts.map(
              ([label, value]) =>
                html`<tr>
                  <th style="text-align: left; font-weight: normal; color: #56657a; padding: 0 1.5rem 0 0">${label}</th>
                  <td style="text-align: right; font-weight: bold">${value}</td>
                </tr>`
            )}
          </table>
          <p>
            <a
              href="${link}"
              style="display: inline-block; background: #1a5fb4; color: #fff; border-radius: 8px; padding: 10px 18px; text-decoration: none"
              >${words.open}</a
            >
          </p>
          <p style="color: #56657a; font-size: 14px">${texts.confidential}<br />${link}</p>
          <p>${texts.regards}<br />${organization}</p>
        </body>
      </html>`.markup
  })
}

/** Splits a text that a person wrote into paragraphs of lines. */
const paragraphs = (text: string | null) =>
  (text ?? "")
    .replaceAll(/\r\n?/g, "\n")
    .split(/\n{2,}/)
    .flatMap((paragraph) => (paragraph.trim() === "" ? [] : [paragraph.trim().split("\n")]))

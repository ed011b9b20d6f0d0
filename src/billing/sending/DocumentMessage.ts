import { BigDecimal } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { DocumentKind } from "../../kernel/DocumentKind.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import type { StoredMailTexts } from "../../kernel/OrganizationSettings.ts"
import type { MailPlaceholder } from "../../organizations/profile/BrandSettings.ts"
import { brand_color_default, inkOn, readableOn } from "../../platform/pages/BrandColor.ts"
import { fill } from "../../platform/pages/Fill.ts"
import { Html, html } from "../../platform/pages/Html.ts"
import { mailFrame, mailLines, mailParagraph } from "../../platform/pages/MailFrame.ts"
import { directionOf, type PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { documentFormat } from "../printing/DocumentFormat.ts"
import type { Settled } from "../printing/documents/Settled.ts"
import { creditNoteNameIn, labelsIn } from "../printing/labels/Labels.ts"

export interface MailedDocument {
  readonly kind: DocumentKind
  readonly id: number
  readonly number: string
  readonly customer_id: CustomerId
  readonly total: BigDecimal.BigDecimal
  /** The amount that is still to be paid; null for a quote or a credit note. */
  readonly balance_due: BigDecimal.BigDecimal | null
  /** Reason why nothing is due on an invoice; null while an amount is due. */
  readonly settled: Settled | null
  readonly currency: CurrencyCode
  /** Last day to pay an invoice or to accept a quote. */
  readonly date: Day | null
}

interface Letter {
  readonly document: Omit<MailedDocument, "id" | "customer_id">
  readonly organization: string
  readonly seller_country: string | null
  readonly brand: {
    readonly color: string | null
    readonly footer: string | null
    readonly texts: StoredMailTexts | undefined
    /** Address of the logo: a part of the message (`cid:`) or a `data:` URL. Null without a logo. */
    readonly logo: string | null
  }
  readonly customer: string
  readonly message: string | null
  readonly attached: boolean
  readonly language: PageLanguage
  /** BCP 47 tag for dates and amounts. */
  readonly locale: string
}

/** The returned function builds the subject, the text part and the HTML part for one recipient's link. */
export const documentMessage = (letter: Letter) => {
  const { brand, document, language, organization } = letter
  const { mail } = labelsIn[language]
  const words = wordsOf(letter)
  const values = valuesOf(letter)
  const own = brand.texts?.[language]?.[document.kind] ?? {}
  const filled = (text: string) => fill(elided(text, values, language), { ...values, message: "" }).trim()
  // A subject that an older version accepted may consist of the message alone.
  const subject = filled(own.subject ?? "") || filled(words.subject)
  const body = own.text === undefined ? standardBody(letter, values) : ownBody(own.text, values, letter.message)
  const facts = factsOf(letter, values)
  const footer = paragraphs(brand.footer).map((lines) => lines.join("\n"))
  const plain = (text: string) =>
    directionOf(language) === "rtl" ? text : text.replaceAll(isolated(document.number), document.number)

  return (link: string) => ({
    subject: plain(subject),
    text: plain(
      [
        ...body.map((lines) => lines.join("\n")),
        facts.map(([label, value]) => `${label}${mail.colon}${value}`).join("\n"),
        `${words.open}${mail.colon.trimEnd()}\n${link}`,
        mail.confidential,
        `${mail.regards}\n${organization}`,
        ...footer,
        ""
      ].join("\n\n")
    ),
    html: htmlOf(letter, { subject: plain(subject), body, facts, open: words.open, link, footer }).markup
  })
}

/** Marks a number as one left-to-right unit (Unicode UAX 9): after Arabic, `2026-0001` would show as `0001-2026`. */
const isolated = (number: string) => `\u2066${number}\u2069`

/** Keeps the number of the document on one line. */
const wholeNumber = (line: string, number: string): Html =>
  html`${line
    .split(isolated(number))
    .map((part, index) =>
      index === 0 ? part : html`<bdi dir="ltr" style="display: inline-block; max-width: 100%">${number}</bdi>${part}`
    )}`

type Values = Readonly<Record<Exclude<MailPlaceholder, "message">, string>>

const valuesOf = ({ customer, document, language, locale, organization }: Letter): Values => {
  const format = documentFormat(language, locale, document.currency)
  return {
    organization,
    customer,
    number: isolated(document.number),
    total: format.money(document.total),
    amount_due: format.money(document.balance_due ?? document.total),
    date: document.date === null ? "" : format.day(document.date)
  }
}

const wordsOf = ({ document: { kind }, language, seller_country }: Letter) =>
  labelsIn[language].mail[kind === "credit_note" ? creditNoteNameIn(seller_country) : kind]

/** French writes "d’Atelier", not "de Atelier". */
const elided = (text: string, { organization }: Values, language: PageLanguage): string =>
  language === "fr" && /^[aeiouyàâäéèêëîïôöùûüœæ]/i.test(organization)
    ? text.replaceAll("de {organization}", "d’{organization}")
    : text

type Paragraphs = ReadonlyArray<ReadonlyArray<string>>

/** Builds the standard text. The standard greeting is omitted if the sender's own text begins with a greeting. */
const standardBody = (letter: Letter, values: Values): Paragraphs => {
  const { attached, document, language, message } = letter
  const { mail, state } = labelsIn[language]
  const words = wordsOf(letter)
  const own = paragraphs(message)
  const greeting = greetings.test(own[0]?.[0] ?? "") ? [] : [[fill(mail.greeting, values)]]
  const opening = fill(attached ? words.attached : words.ready, values)
  return [...greeting, ...own, [opening], ...(document.settled === null ? [] : [[state[document.settled]]])]
}

/** The words that open a letter in the languages of documents. */
const greeting_words = [
  ["dear", "hello", "hi", "good (?:morning|afternoon|day|evening)"],
  ["bonjour", "bonsoir", "ch(?:er|ère)s?", "madame", "monsieur"],
  ["beste", "geachte", "dag", "goede(?:morgen|middag|dag|navond)"],
  ["hallo", "guten (?:tag|morgen|abend)", "sehr geehrte[rs]?", "liebe[rs]?"],
  ["hola", "estimad[oa]s?", "buen[oa]s", "querid[oa]s?"],
  ["gentil[ei]", "buongiorno", "buonasera", "salve", "egregio", "spettabile", "car[oaie]"],
  ["ol[áa]", "bom dia", "boa (?:tarde|noite)", "prezad[oa]s?", "car[oa]s"],
  ["szanown[iyae]", "dzień dobry", "witam"],
  ["السلام", "مرحبا", "مرحبًا", "السادة", "السيد", "السيدة", "عزيزي", "عزيزتي"]
]
const greetings = new RegExp(`^(?:${greeting_words.flat().join("|")})(?!\\p{L})`, "iu")

/** The message replaces only its first placeholder, because texts stored by older versions may have hundreds of them. */
const ownBody = (text: string, values: Values, message: string | null): Paragraphs => {
  const [before = "", ...after] = text.split("{message}").map((part) => fill(part, values))
  return after.length === 0
    ? [...paragraphs(before), ...paragraphs(message)]
    : paragraphs([before, message ?? "", ...after].join(""))
}

type Fact = readonly [label: string, value: string]

/**
 * Lists the amounts and the date of a document. If the balance due of an invoice differs from its total, both are
 * listed.
 */
const factsOf = ({ document, language }: Letter, values: Values): ReadonlyArray<Fact> => {
  const { credit_note, document: labels, mail, quote } = labelsIn[language]
  const { balance_due, date, kind, total } = document
  const isPart = balance_due !== null && !BigDecimal.equals(balance_due, total)
  return [
    [kind === "credit_note" ? credit_note.amount_credited : labels.total, values.total],
    ...(isPart ? [[labels.amount_due, values.amount_due] as const] : []),
    ...(date === null ? [] : [[kind === "quote" ? quote.valid_until : mail.payable_by, values.date] as const])
  ]
}

/** Maximum length of a text that stays on one line beside a label on the narrowest telephone. */
const unbroken_characters_max = 14

/** Lets a long date break between its words, and only an amount that is wider than a telephone within its digits. */
const wrappingOf = (value: string): string => {
  if (value.length <= unbroken_characters_max) return "white-space: nowrap"
  const isWide = value.split(" ").some(({ length }) => length > unbroken_characters_max)
  return `overflow-wrap: ${isWide ? "anywhere" : "break-word"}`
}

interface Parts {
  readonly subject: string
  readonly body: Paragraphs
  readonly facts: ReadonlyArray<Fact>
  readonly open: string
  readonly link: string
  readonly footer: ReadonlyArray<string>
}

const htmlOf = ({ brand, document, language, organization }: Letter, parts: Parts): Html => {
  const { mail } = labelsIn[language]
  const color = brand.color ?? brand_color_default
  const [start, end] = directionOf(language) === "rtl" ? ["right", "left"] : ["left", "right"]
  const cell = `border-bottom: 1px solid #d9e0e8; padding: 8px 0; padding-${start}`
  const body = html`<p style="margin: 0 0 24px">${senderOf(organization, brand.logo, color)}</p>
    ${parts.body.map((lines) => mailParagraph(lines.map((line) => wholeNumber(line, document.number))))}
    <table
      role="presentation"
      style="width: 100%; border-collapse: collapse; margin: 0 0 24px; border-top: 1px solid #d9e0e8"
    >
      ${parts.facts.map(
        ([label, value]) =>
          html`<tr>
            <td style="${cell}: 0; color: #56657a; overflow-wrap: break-word">${label}</td>
            <td style="${cell}: 16px; text-align: ${end}; font-weight: bold; ${wrappingOf(value)}">
              <bdi>${value}</bdi>
            </td>
          </tr>`
      )}
    </table>
    <table role="presentation" cellspacing="0" style="margin: 0 0 24px">
      <tr>
        <td style="background: ${color}; border-radius: 8px; padding: 0; mso-padding-alt: 12px 20px">
          <a
            href="${parts.link}"
            style="display: inline-block; background: ${color}; color: ${inkOn(color)}; border-radius: 8px; padding: 12px 20px; font-weight: bold; text-decoration: none"
            >${parts.open}</a
          >
        </td>
      </tr>
    </table>
    <p style="margin: 0 0 16px; color: #56657a; font-size: 14px">
      ${mail.confidential}<br /><span dir="ltr">${parts.link}</span>
    </p>
    <p style="margin: 0">${mail.regards}<br /><bdi>${organization}</bdi></p>
    ${parts.footer.map(
      (text) =>
        html`<p dir="auto" style="margin: 24px 0 0; color: #56657a; font-size: 13px">${mailLines(text.split("\n"))}</p>`
    )}`
  return mailFrame({ language, title: parts.subject, color, body })
}

/** The style keeps the proportions of the logo; the attribute `height` is for mail programs that ignore the style. */
const senderOf = (organization: string, logo: string | null, color: string): Html =>
  logo === null
    ? html`<strong style="font-size: 20px; color: ${readableOn(color, "#ffffff")}">${organization}</strong>`
    : html`<img
        ${new Html(`src="${logo}"`)}
        alt="${organization}"
        height="48"
        style="width: auto; height: auto; max-width: 100%; max-height: 48px"
      />`

const paragraphs = (text: string | null): Paragraphs =>
  (text ?? "")
    .replaceAll(/\r\n?/g, "\n")
    .split(/\n{2,}/)
    .flatMap((paragraph) => (paragraph.trim() === "" ? [] : [paragraph.trim().split("\n")]))

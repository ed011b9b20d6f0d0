import { notes_characters_max } from "../../kernel/Text.ts"
import type { PaymentPlaceholder } from "../../organizations/profile/BrandSettings.ts"
import { Html, html } from "../../platform/pages/Html.ts"
import { intlLocale } from "../printing/DocumentFormat.ts"
import { type LabeledText, type PdfDocument, untaxed } from "../printing/DocumentPdf.ts"
import type { Labels } from "../printing/labels/en.ts"
import { labelsIn } from "../printing/labels/Labels.ts"
import { fileSize } from "./FileSize.ts"
import type { PortalView } from "./Portal.ts"

interface Address {
  readonly path: string
  /** The path of the customer's link. The paths of the customer's other documents begin with it. */
  readonly link: string
}

/** Uses the labels of the PDF. The forms post to the address of the page, which contains the token. */
export const documentPage = (view: PortalView, address: Address, problem?: string): Html => {
  const { quote, sheet } = view
  const labels = labelsIn[sheet.language]
  return html`${problem === undefined ? undefined : html`<p class="notice bad" role="alert">${problem}</p>`}
    ${sheet.sandbox === null ? undefined : html`<p class="notice bad" role="note">${sheet.sandbox}</p>`}
    ${quote === null ? undefined : outcome(quote.status, labels.portal)}
    <section class="card">
      ${head(view, address.path, labels)}
      ${quote?.status === "sent" ? question(quote.version, labels.portal) : undefined}
      ${view.payment === null ? undefined : block(view.payment.title, view.payment.rows, view.payment.qr)}
    </section>
    <section class="card">${content(view, address.path, labels)}</section>
    ${view.others.length === 0 ? undefined : others(view, address.link, labels)}
    <footer>
      ${contact(view, labels)} ${[...closing(view), ...sheet.footer].map((lines) => html`<p>${separate(lines)}</p>`)}
    </footer>`
}

export const closedPage = (message: string, advice: string): Html =>
  html`<div class="card">
    <h1>${message}</h1>
    <p>${advice}</p>
  </div>`

const head = (view: PortalView, path: string, labels: Labels) => {
  const { deadline, settlement, sheet, state } = view
  const sentence = state?.sentence ?? null
  const amount = sentence === null ? sheet.due : totalOf(sheet)
  return html`<div class="title">
      <h1>${unbroken(sheet.title)}</h1>
      ${state === null ? undefined : html`<span class="tag ${state.tone}">${labels.state[state.name]}</span>`}
    </div>
    <p class="muted">${amount.label}</p>
    <p class="sum"><bdi>${amount.value}</bdi></p>
    ${deadline === null ? undefined : html`<p class="lead">${deadlineText(deadline, labels)}</p>`}
    ${sentence === null ? undefined : html`<p class="lead">${labels.state[sentence]}</p>`}
    ${settlement.length === 0 ? undefined : terms(settlement)}
    <div class="actions">
      ${payButton(view, labels.portal)}
      <a
        class="${isPayableOnline(view) || view.quote?.status === "sent" ? "button quiet" : "button"}"
        href="${path}/pdf"
        >${labels.portal.download}</a
      >
      ${view.has_xml ? saved(`${path}/xml`, labels.portal.download_xml) : undefined}
      ${view.has_receipt ? saved(`${path}/receipt`, labels.portal.download_receipt) : undefined}
    </div>`
}

const unbroken = (title: string): Html => {
  const start = title.lastIndexOf(" ") + 1
  return html`${title.slice(0, start)}<bdi class="whole">${title.slice(start)}</bdi>`
}

const deadlineText = ({ day, distance, label }: NonNullable<PortalView["deadline"]>, labels: Labels) => {
  const name = label === "due_date" ? labels.document.due_date : labels.quote.valid_until
  return html`${name}${labels.mail.colon}<strong>${day}</strong>${distance === null ? "" : html` <span class="muted">(${distance})</span>`}`
}

/** Returns the total of a settled or void document, because its `due` is only the amount that remains to be paid. */
const totalOf = ({ due, totals }: PdfDocument): LabeledText => totals.findLast(({ strong }) => strong) ?? due

const saved = (path: string, label: string) => html`<a class="button quiet" href="${path}">${label}</a>`

const isPayableOnline = ({ organization, payable }: PortalView): boolean =>
  payable !== null && organization.settings.payment_url !== undefined

const payButton = ({ organization, payable, sheet }: PortalView, texts: Labels["portal"]) => {
  const { payment_url } = organization.settings
  if (payable === null || payment_url === undefined) return undefined
  const values: Readonly<Record<PaymentPlaceholder, string>> = payable
  const url = payment_url.replaceAll(/\{(number|amount|currency|reference)\}/g, (_, name: PaymentPlaceholder) =>
    encodeURIComponent(values[name])
  )
  return html`<a class="button" href="${url}" rel="noopener noreferrer">${texts.pay} <bdi>${sheet.due.value}</bdi></a>`
}

const content = (view: PortalView, path: string, labels: Labels) => {
  const { attachments, clearance, sheet } = view
  return html`<div class="fields facts">
      ${party(labels.portal.from, sheet.sender)} ${party(labels.portal.to, sheet.recipient)}
    </div>
    ${pairs(sheet.facts)}
    <h2>${labels.portal.lines}</h2>
    <ul class="plain">
      ${sheet.items.map(line)}
    </ul>
    <div class="totals">${terms([...sheet.totals, { ...sheet.due, strong: true }])}</div>
    ${
      clearance === null
        ? undefined
        : block(
            clearance.title,
            [...clearance.rows, ...(clearance.seal === null ? [] : [clearance.seal])],
            clearance.qr,
            clearance.missing
          )
    }
    ${sheet.sections.map(
      ({ text, title }) =>
        html`<h2>${title}</h2>
          <p class="text" dir="auto">${text}</p>`
    )}
    ${attachments.length === 0 ? undefined : files(view, path, labels.portal)}`
}

const terms = (rows: ReadonlyArray<LabeledText & { readonly detail?: string; readonly strong?: boolean }>) =>
  html`<dl>
    ${rows.map(
      ({ detail, label, strong, value }) =>
        html`<div class="${strong === true ? "strong" : ""}">
          <dt>${label}${detail === undefined ? "" : html` <span class="whole">· <bdi>${detail}</bdi></span>`}</dt>
          <dd><bdi>${value}</bdi></dd>
        </div>`
    )}
  </dl>`

/** Shows rows with aligned values. A click on a value selects the whole value. */
const pairs = (rows: ReadonlyArray<LabeledText>) =>
  html`<dl class="pairs">
    ${rows.map(
      ({ label, value }) =>
        html`<div>
          <dt>${label}</dt>
          <dd><bdi class="copied">${value}</bdi></dd>
        </div>`
    )}
  </dl>`

const block = (
  title: string,
  rows: ReadonlyArray<LabeledText>,
  qr: { readonly svg: string; readonly caption: string } | null,
  missing: string | null = null
) =>
  html`<h2>${title}</h2>
    <div class="row top">
      <div>${pairs(rows)} ${missing === null ? undefined : html`<p class="muted">${missing}</p>`}</div>
      ${qr === null ? undefined : code(qr)}
    </div>`

const code = ({ caption, svg }: { readonly svg: string; readonly caption: string }) =>
  html`<figure>
    <div class="qr" role="img" aria-label="${caption}">${new Html(svg)}</div>
    <figcaption>${caption}</figcaption>
  </figure>`

const party = (label: string, { lines, name }: PdfDocument["recipient"]) =>
  html`<div>
    <h2>${label}</h2>
    <p>${separate([html`<strong>${name}</strong>`, ...lines])}</p>
  </div>`

/** Puts each text on a line of its own. `<bdi>` isolates a text that runs in another direction than the page. */
const separate = (lines: ReadonlyArray<Html | string>) =>
  lines.map((line, index) => html`${index === 0 ? "" : html`<br />`}<bdi>${line}</bdi>`)

const line = ({ description, discount, net, quantity, tax, unit, unit_price }: PdfDocument["items"][number]) =>
  html`<li class="line">
    <div>
      <span class="text" dir="auto">${description}</span><br />
      <small
        ><bdi>${`${quantity} ${unit}`.trim()}</bdi> × <bdi>${unit_price}</bdi>${
          discount === null ? "" : html` − <bdi>${discount}</bdi>`
        }
        ${tax === untaxed ? "" : html`<span class="whole">· <bdi>${tax}</bdi></span>`}</small
      >
    </div>
    <strong class="amount"><bdi>${net}</bdi></strong>
  </li>`

const files = ({ attachments, sheet: { language, region } }: PortalView, path: string, texts: Labels["portal"]) =>
  html`<h2>${texts.attachments}</h2>
    <ul class="plain">
      ${attachments.map(
        ({ file_name, file_size, id }) =>
          html`<li class="line">
            <a href="${path}/attachments/${id}"><bdi>${file_name}</bdi></a>
            <small>${fileSize(file_size, intlLocale(`${language}-${region}`))}</small>
          </li>`
      )}
    </ul>`

const others = ({ others }: PortalView, link: string, { mail, portal, quote, state, document: words }: Labels) =>
  html`<section class="card">
    <h2>${portal.others}</h2>
    <ul class="plain">
      ${others.map(
        ({ amount, date, document, document_id, is_overdue, title }) =>
          html`<li class="line">
            <div>
              <a href="${link}/${document}/${document_id}">${unbroken(title)}</a><br />
              <small>${document === "quote" ? quote.valid_until : words.due_date}${mail.colon}${date}</small>
              ${is_overdue ? html`<span class="tag bad">${state.overdue}</span>` : undefined}
            </div>
            <strong class="amount"><bdi>${amount}</bdi></strong>
          </li>`
      )}
    </ul>
  </section>`

const contact = ({ organization: { contact_email, contact_phone } }: PortalView, { portal }: Labels) => {
  const ways = [
    ...(contact_email === null ? [] : [html`<a href="mailto:${contact_email}">${contact_email}</a>`]),
    ...(contact_phone === null
      ? []
      : [html`<a href="tel:${contact_phone.replaceAll(/[^+\d]/g, "")}"><bdi>${contact_phone}</bdi></a>`])
  ]
  return ways.length === 0
    ? undefined
    : html`<p class="contact">
        <strong>${portal.contact}</strong> ${ways.map((way, index) => html`${index === 0 ? "" : " · "}${way}`)}
      </p>`
}

const closing = ({ organization: { settings } }: PortalView): ReadonlyArray<ReadonlyArray<string>> =>
  settings.document_footer === undefined ? [] : [settings.document_footer.split("\n")]

const outcome = (status: NonNullable<PortalView["quote"]>["status"], texts: Labels["portal"]) => {
  switch (status) {
    case "accepted":
      return html`<p class="notice good" role="status">${texts.accepted}</p>`
    case "converted":
      return html`<p class="notice good" role="status">${texts.converted}</p>`
    case "rejected":
      return html`<p class="notice bad" role="status">${texts.rejected}</p>`
    case "expired":
      return html`<p class="notice bad" role="status">${texts.expired_quote}</p>`
    default:
      return undefined
  }
}

const question = (version: number, texts: Labels["portal"]) =>
  html`<h2>${texts.question}</h2>
    <form method="post">
      <input type="hidden" name="version" value="${version}" />
      <button type="submit" name="answer" value="accept">${texts.accept}</button>
    </form>
    <details>
      <summary>${texts.decline_question}</summary>
      <form method="post">
        <input type="hidden" name="version" value="${version}" />
        <label for="reason">${texts.reason}</label>
        <textarea id="reason" name="reason" rows="3" maxlength="${notes_characters_max}"></textarea>
        <button class="danger" type="submit" name="answer" value="decline">${texts.decline}</button>
      </form>
    </details>`

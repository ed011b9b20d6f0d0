import { Html, html } from "../../platform/pages/Html.ts"
import type { LabeledText, PdfDocument } from "../printing/DocumentPdf.ts"
import type { Attachment } from "../invoices/attachments/Attachment.ts"
import { fileSize } from "./FileSize.ts"
import type { PortalDocument } from "./PortalDocuments.ts"
import type { Labels } from "../printing/labels/en.ts"
import { labelsIn } from "../printing/labels/Labels.ts"

/**
 * Shows the document in the words of its PDF, and the actions for it. The forms post to the address of the page, which
 * contains the token.
 */
export const documentPage = (document: PortalDocument, path: string, problem?: string): Html => {
  const { attachments, clearance, payment, quote, sheet } = document
  const texts = labelsIn[sheet.language].portal
  return html`${problem === undefined ? undefined : html`<p class="notice bad" role="alert">${problem}</p>`}
    ${sheet.sandbox === null ? undefined : html`<p class="notice bad" role="note">${sheet.sandbox}</p>`}
    ${quote === null ? undefined : outcome(quote.status, texts)}
    <div class="card">
      <p class="muted">${sheet.sender.name}</p>
      <h1>${sheet.title}</h1>
      <p class="lead">${sheet.due.label}: <strong>${sheet.due.value}</strong></p>
      <p><a class="button" href="${path}/pdf">${texts.download}</a></p>
    </div>
    ${quote?.status === "sent" ? question(quote.version, texts) : undefined}
    <div class="card">
      <div class="fields facts">
        ${party(texts.from, sheet.sender)} ${party(texts.to, sheet.recipient)}
        <div>${terms(sheet.facts)}</div>
      </div>
    </div>
    <div class="card">
      <h2>${texts.lines}</h2>
      <ul class="plain">
        ${sheet.items.map(line)}
      </ul>
      <div class="totals">${terms(totalsOf(sheet))}</div>
    </div>
    ${payment === null ? undefined : block(payment.title, terms(payment.rows), payment.qr)}
    ${
      clearance === null
        ? undefined
        : block(
            clearance.title,
            html`${terms([...clearance.rows, ...(clearance.seal === null ? [] : [clearance.seal])])}
              <p class="muted">${clearance.missing}</p>`,
            clearance.qr
          )
    }
    ${sheet.sections.map(
      ({ text, title }) =>
        html`<div class="card">
          <h2>${title}</h2>
          <p class="text">${text}</p>
        </div>`
    )}
    ${attachments.length === 0 ? undefined : files(attachments, path, sheet, texts)}
    <footer>${sheet.footer.map((lines) => html`<p>${lines.map((line) => html`${line}<br />`)}</p>`)}</footer>`
}

/** Explains why the link opens nothing. */
export const closedPage = (message: string, advice: string): Html =>
  html`<div class="card">
    <h1>${message}</h1>
    <p>${advice}</p>
  </div>`

const terms = (rows: ReadonlyArray<LabeledText & { readonly strong?: boolean }>) =>
  html`<dl>
    ${rows.map(
      ({ label, strong, value }) =>
        html`<div class="${strong === true ? "strong" : ""}">
          <dt>${label}</dt>
          <dd>${value}</dd>
        </div>`
    )}
  </dl>`

/** Returns the rows of the totals block, which always end with the final amount. */
const totalsOf = ({ due, totals }: PdfDocument) =>
  totals.some(({ strong }) => strong) ? totals : [...totals, { ...due, strong: true }]

/** Shows rows with a QR code beside them. */
const block = (title: string, rows: Html, qr: { readonly svg: string; readonly caption: string } | null) =>
  html`<div class="card">
    <h2>${title}</h2>
    <div class="row">
      <div>${rows}</div>
      ${qr === null ? undefined : code(qr)}
    </div>
  </div>`

const code = ({ caption, svg }: { readonly svg: string; readonly caption: string }) =>
  html`<figure>
    <div class="qr" role="img" aria-label="${caption}">${new Html(svg)}</div>
    <figcaption>${caption}</figcaption>
  </figure>`

const party = (label: string, { lines, name }: PdfDocument["recipient"]) =>
  html`<div>
    <h2>${label}</h2>
    <p><strong>${name}</strong>${lines.map((line) => html`<br />${line}`)}</p>
  </div>`

const line = ({ description, discount, net, quantity, tax, unit, unit_price }: PdfDocument["items"][number]) =>
  html`<li class="row">
    <div>
      <span class="text">${description}</span><br />
      <small>${quantity} ${unit} × ${unit_price}${discount === null ? "" : ` − ${discount}`} · ${tax}</small>
    </div>
    <strong class="amount">${net}</strong>
  </li>`

/** Lists the attachments. `<bdi>` isolates a file name whose script runs in another direction than the page's. */
const files = (
  attachments: ReadonlyArray<Attachment>,
  path: string,
  { language, region }: PdfDocument,
  texts: Labels["portal"]
) =>
  html`<div class="card">
    <h2>${texts.attachments}</h2>
    <ul class="plain">
      ${attachments.map(
        ({ file_name, file_size, id }) =>
          html`<li class="row">
            <div>
              <a href="${path}/attachments/${id}"><bdi>${file_name}</bdi></a>
            </div>
            <small>${fileSize(file_size, `${language}-${region}`)}</small>
          </li>`
      )}
    </ul>
  </div>`

const outcome = (status: NonNullable<PortalDocument["quote"]>["status"], texts: Labels["portal"]) => {
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
  html`<div class="card">
    <h2>${texts.question}</h2>
    <form method="post">
      <input type="hidden" name="version" value="${version}" />
      <button type="submit" name="answer" value="accept">${texts.accept}</button>
    </form>
    <details>
      <summary>${texts.decline_question}</summary>
      <form method="post">
        <input type="hidden" name="version" value="${version}" />
        <label for="reason">${texts.reason}</label>
        <textarea id="reason" name="reason" rows="3" maxlength="5000"></textarea>
        <button class="danger" type="submit" name="answer" value="decline">${texts.decline}</button>
      </form>
    </details>
  </div>`

import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import { type Html, html } from "../../../platform/pages/Html.ts"
import type { KeptHead } from "../../../platform/mail/StoredMail.ts"
import type { MailContent } from "../../../platform/mail/MailReading.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { panelList, terms } from "../PanelList.ts"

const section = "/admin/mail"

const title = "Outgoing mail"

export const sentPage: PanelContent = {
  title,
  section,
  body: html`<section class="card">
    <p>Mail goes to the server that SMTP_URL names. No copy of it is kept here.</p>
  </section>`
}

export const mailPage = (slice: PageRows<KeptHead>, request: PageRequest): PanelContent => ({
  title,
  section,
  body: html`<p>
      SMTP_URL is not set, so no mail leaves this installation. Messages are kept in its data folder instead.
    </p>
    ${panelList({
      slice,
      request,
      path: section,
      none: "Nothing was written yet.",
      row: ({ date, name, subject, to }) =>
        html`<div>
          <a href="${section}/${name}">${subject === "" ? "No subject" : subject}</a><br />
          <small>To ${to}, ${date}</small>
        </div>`
    })}`
})

export const messagePage = (name: string, content: MailContent): PanelContent => ({
  title: content.subject === "" ? "No subject" : content.subject,
  section,
  back: { path: section, label: "outgoing mail" },
  body: html`<section class="card">
      ${terms([
        ["From", content.from],
        ["To", content.to],
        ["Date", content.date],
        ...content.attachments.map(
          ({ filename, size_bytes }) => ["Attachment", `${filename}, ${size_bytes} bytes`] as const
        )
      ])}
    </section>
    <section class="card"><div class="text">${linked(content.text)}</div></section>
    <p><a class="button quiet" href="${section}/${name}/file">Save the whole message</a></p>`
})

const link = /(https?:\/\/[^\s<>"]+)/

/** Turns addresses in the text into links: `split` with a group puts them at the odd positions. */
const linked = (text: string): ReadonlyArray<Html | string> =>
  text
    .split(link)
    .map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}" rel="noreferrer">${piece}</a>` : piece))

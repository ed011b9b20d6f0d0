import { DateTime, Effect, Layer, Option, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { orNotFound } from "../../../kernel/Refusal.ts"
import { toSave } from "../../../platform/http/answers/Download.ts"
import { StoredMail } from "../../../platform/mail/StoredMail.ts"
import { type Html, html } from "../../../platform/pages/Html.ts"
import { type PanelRequest, type Place, showFile, showPage } from "../Panel.ts"
import { listPage, moment, terms } from "../PanelList.ts"

const place: Place = { path: "/admin/mail", label: "outgoing mail" }

const list = listPage(place, {
  load: () => Effect.map(StoredMail, ({ isKept }) => isKept),
  title: "Outgoing mail",
  before: (isKept) =>
    isKept
      ? html`<p>SMTP_URL is not set, so no mail leaves this installation. Messages are kept in its data folder.</p>`
      : html`<p>Mail goes to the server that SMTP_URL names. No copy of it is kept here.</p>`,
  rows: (request) => Effect.flatMap(StoredMail, (mail) => mail.list(request)),
  row: ({ date, name, subject, to }) => ({
    name: subject === "" ? "No subject" : subject,
    href: `${place.path}/${name}`,
    small: html`To ${to}, ${sentAt(date)}`
  }),
  none: "There is no message."
})

/** Writes the date of a message like every other time of the panel. */
const sentAt = (date: string) =>
  Option.match(DateTime.make(date), { onNone: () => date, onSome: (time) => moment(DateTime.formatIso(time)) })

const messageOf = Effect.fnUntraced(function* ({ params }: PanelRequest) {
  const name = params["name"] ?? ""
  return { name, ...(yield* orNotFound((yield* StoredMail).find(name))) }
})

const show = showPage(
  { path: "/admin/mail/:name", up: place },
  Effect.fnUntraced(function* (asked) {
    const { content, name } = yield* messageOf(asked)
    return {
      title: content.subject === "" ? "No subject" : content.subject,
      body: html`<section class="card">
          ${terms([
            ["From", content.from],
            ["To", content.to],
            ["Date", sentAt(content.date)],
            ...content.attachments.map(
              ({ filename, size_bytes }) => ["Attachment", `${filename}, ${size_bytes} bytes`] as const
            )
          ])}
        </section>
        <section class="card"><div class="text">${linked(content.text.trim())}</div></section>
        <p><a class="button quiet" href="${place.path}/${name}/file">Save the whole message</a></p>`
    }
  })
)

const link = /(https?:\/\/[^\s<>"]+)/

/** `split` puts the URLs at odd positions, because the pattern `link` has a group. */
const linked = (text: string): ReadonlyArray<Html | string> =>
  text
    .split(link)
    .map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}" rel="noreferrer">${piece}</a>` : piece))

const file = showFile("/admin/mail/:name/file", (asked) =>
  Effect.map(messageOf(asked), ({ bytes, name }) =>
    HttpServerResponse.setHeader(
      toSave({
        bytes: Stream.make(bytes),
        size_bytes: bytes.length,
        content_type: "message/rfc822",
        file_name: name
      }),
      "cache-control",
      "no-store"
    )
  )
)

export const MailRoutes = Layer.mergeAll(list, show, file)

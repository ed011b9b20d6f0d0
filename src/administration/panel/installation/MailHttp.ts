import { Effect, Layer, Option, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { orNotFound } from "../../../kernel/Refusal.ts"
import { toSave } from "../../../platform/http/Download.ts"
import { StoredMail } from "../../../platform/mail/StoredMail.ts"
import { type PanelRequest, showFile, showPage } from "../Panel.ts"
import { pageOf } from "../PanelInput.ts"
import { mailPage, messagePage, sentPage } from "./MailPage.ts"

const list = showPage(
  "/admin/mail",
  Effect.fnUntraced(function* ({ query }) {
    const request = pageOf(query)
    const kept = yield* (yield* StoredMail).list(request)
    return Option.match(kept, { onNone: () => sentPage, onSome: (slice) => mailPage(slice, request) })
  })
)

const messageOf = Effect.fnUntraced(function* ({ params }: PanelRequest) {
  const name = params["name"] ?? ""
  return { name, ...(yield* orNotFound((yield* StoredMail).find(name))) }
})

const show = showPage("/admin/mail/:name", (asked) =>
  Effect.map(messageOf(asked), ({ content, name }) => messagePage(name, content))
)

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

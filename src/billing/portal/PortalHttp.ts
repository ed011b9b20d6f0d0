import { ByteSize, Effect, Layer, Option, Schema } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AttachmentId, inText } from "../../kernel/Ids.ts"
import { Notes } from "../../kernel/Text.ts"
import { pageAnswer } from "../../platform/pages/PageFrame.ts"
import { languageOf } from "../../platform/pages/PageLanguage.ts"
import { inlinePdf } from "../printing/PdfFile.ts"
import { attachmentToSave } from "../invoices/attachments/AttachmentDownload.ts"
import { Portal } from "./Portal.ts"
import { PortalClosed } from "./PortalErrors.ts"
import { closedPage, documentPage } from "./PortalPage.ts"
import { labelsIn } from "../printing/labels/Labels.ts"

/** Maximum size of the answer form, which fits the longest reason in any script, percent-encoded. */
const form_bytes_max = 64 * 1024

/** Keeps search engines away. Pages also have a meta element for that purpose, but files cannot have one. */
const unlisted = { "x-robots-tag": "noindex, nofollow" }

/** Headers of files. The browser must not cache a file, because other people may use the same browser. */
const fileHeaders = { ...unlisted, "cache-control": "private, no-store" }

const attachmentIdOf = Schema.decodeUnknownOption(inText(AttachmentId))

const reasonOf = Schema.decodeUnknownOption(Notes)

/** Serves `/d/{token}`: one document, for anybody who has the link from a message (contract section 19). */
export const PortalPages = Layer.unwrap(
  Effect.gen(function* () {
    const portal = yield* Portal

    const closed = Effect.fnUntraced(function* ({ reason }: PortalClosed) {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const language = languageOf(headers["accept-language"])
      const texts = labelsIn[language].portal
      const title = texts.closed[reason]
      return pageAnswer({
        language,
        title,
        narrow: true,
        body: closedPage(title, texts.ask_sender),
        status: reason === "unknown" ? 404 : 410,
        headers: unlisted
      })
    })

    const show = Effect.fnUntraced(function* (
      token: string,
      problem?: { readonly text: "look_again" | "busy" | "too_complex" | "file_busy"; readonly status: number }
    ) {
      const document = yield* portal.view(token)
      const { language, sender, title } = document.sheet
      const message = problem === undefined ? undefined : labelsIn[language].portal[problem.text]
      return pageAnswer({
        language,
        title: `${title} · ${sender.name}`,
        body: documentPage(document, `/d/${token}`, message),
        status: problem?.status ?? 200,
        headers: unlisted
      })
    })

    const file = (token: string) =>
      portal.file(token).pipe(
        Effect.map((pdf) => HttpServerResponse.setHeaders(inlinePdf(pdf), fileHeaders)),
        Effect.catchTags({
          PdfUnavailable: () => show(token, { text: "busy", status: 503 }),
          PdfTooComplex: () => show(token, { text: "too_complex", status: 422 })
        })
      )

    const attachment = Effect.fnUntraced(function* (token: string) {
      const { id } = yield* HttpRouter.params
      const attachment_id = attachmentIdOf(id)
      if (Option.isNone(attachment_id)) {
        // The state of the link is checked first, as for every other id.
        yield* portal.view(token)
        return yield* new PortalClosed({ reason: "unknown" })
      }
      return yield* portal.attachment(token, attachment_id.value).pipe(
        Effect.map((download) => HttpServerResponse.setHeaders(attachmentToSave(download), fileHeaders)),
        Effect.catchTag("StorageUnavailable", () => show(token, { text: "file_busy", status: 503 }))
      )
    })

    const answer = Effect.fnUntraced(function* (token: string) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const text = yield* request.text.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(form_bytes_max)),
        Effect.orElseSucceed(() => "")
      )
      const fields = new URLSearchParams(text)
      const given = fields.get("answer")
      const reason = Option.getOrNull(reasonOf(fields.get("reason")?.trim()))
      const version = Number(fields.get("version"))
      if (given !== "accept" && given !== "decline") return yield* show(token, { text: "look_again", status: 422 })
      return yield* portal.answer(token, { accepted: given === "accept", version, reason: reason || null }).pipe(
        Effect.as(HttpServerResponse.redirect(`/d/${token}`, { status: 303 })),
        Effect.catchTag("AnswerRefused", () => show(token, { text: "look_again", status: 409 }))
      )
    })

    const route = <A, R>(handle: (token: string) => Effect.Effect<A, PortalClosed, R>) =>
      Effect.gen(function* () {
        const { token = "" } = yield* HttpRouter.params
        return yield* handle(token).pipe(Effect.catchTag("PortalClosed", closed))
      })

    return Layer.mergeAll(
      HttpRouter.add("GET", "/d/:token", route(show)),
      HttpRouter.add("POST", "/d/:token", route(answer)),
      HttpRouter.add("GET", "/d/:token/pdf", route(file)),
      HttpRouter.add("GET", "/d/:token/attachments/:id", route(attachment))
    )
  })
)

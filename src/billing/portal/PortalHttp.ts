import { Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { DocumentKind } from "../../kernel/DocumentKind.ts"
import { AttachmentId, inText, InvoiceId } from "../../kernel/Ids.ts"
import { cut, notes_characters_max } from "../../kernel/Text.ts"
import { toSave } from "../../platform/http/answers/Download.ts"
import { pageAnswer } from "../../platform/pages/PageFrame.ts"
import { languageOf } from "../../platform/pages/PageLanguage.ts"
import type { DocumentFile } from "../correspondence/Correspondence.ts"
import { inlinePdf } from "../printing/PdfFile.ts"
import { Portal } from "./Portal.ts"
import { PortalClosed } from "./PortalErrors.ts"
import type { DocumentRef } from "./PortalState.ts"
import { closedPage, documentPage } from "./PortalPage.ts"
import { labelsIn } from "../printing/labels/Labels.ts"

/** Keeps search engines away. Pages also have a meta element for that purpose, but files cannot have one. */
const unlisted = { "x-robots-tag": "noindex, nofollow" }

/** Headers of files. The browser must not cache a file, because other people may use the same browser. */
const fileHeaders = { ...unlisted, "cache-control": "private, no-store" }

const attachmentIdOf = Schema.decodeUnknownOption(inText(AttachmentId))

/**
 * Makes a text that a browser sends a valid reason, so that nothing that the customer wrote is lost. A browser sends CRLF
 * for each line break, but `maxlength` counts it as one character; office programs write U+000B for a line break.
 */
const reasonOf = (typed: string): string | null => {
  const lines = typed.toWellFormed().replaceAll(/\r\n?|[\v\f]/g, "\n")
  return cut(lines.replaceAll(/[^\P{Cc}\t\n]/gu, "").trim(), notes_characters_max) || null
}

/**
 * Serves the pages behind the links of messages: `/d/{token}` shows the document of the link, `/d/{token}/{kind}/{id}`
 * another open document of the same customer. Anybody who has the link can open them (rules/portal.md, Links).
 */
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
        brand: { name: "", logo: null, color: null },
        body: closedPage(title, texts.ask_sender),
        status: reason === "unknown" ? 404 : 410,
        headers: unlisted
      })
    })

    const show = Effect.fnUntraced(function* (
      { asked, token }: Place,
      problem?: { readonly text: "look_again" | "busy" | "too_complex" | "file_busy"; readonly status: number }
    ) {
      const view = yield* portal.view(token, asked)
      const { language, sender, title } = view.sheet
      const { settings } = view.organization
      const message = problem === undefined ? undefined : labelsIn[language].portal[problem.text]
      return pageAnswer({
        language,
        title: `${title} · ${sender.name}`,
        brand: { name: sender.name, logo: view.logo, color: settings.brand_color ?? null },
        body: documentPage(view, { path: pathOf({ asked, token }), link: `/d/${token}` }, message),
        status: problem?.status ?? 200,
        headers: unlisted
      })
    })

    const file = (form: "pdf" | "xml" | "receipt") => (place: Place) =>
      portal.file(place.token, place.asked, form).pipe(
        Effect.map((file) =>
          HttpServerResponse.setHeaders(form === "xml" ? savedXml(file) : inlinePdf(file), fileHeaders)
        ),
        Effect.catchTags({
          PdfUnavailable: () => show(place, { text: "busy", status: 503 }),
          PdfTooComplex: () => show(place, { text: "too_complex", status: 422 })
        })
      )

    const attachment = Effect.fnUntraced(function* (place: Place) {
      const { attachment } = yield* HttpRouter.params
      const attachment_id = attachmentIdOf(attachment)
      if (Option.isNone(attachment_id)) {
        // An expired or revoked link is reported as such, even if the attachment id is invalid.
        yield* portal.view(place.token, place.asked)
        return yield* new PortalClosed({ reason: "unknown" })
      }
      return yield* portal.attachment(place.token, place.asked, attachment_id.value).pipe(
        Effect.map((download) => HttpServerResponse.setHeaders(toSave(download), fileHeaders)),
        Effect.catchTag("StorageUnavailable", () => show(place, { text: "file_busy", status: 503 }))
      )
    })

    const answer = Effect.fnUntraced(function* (place: Place) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const text = yield* Effect.orElseSucceed(request.text, () => "")
      const fields = new URLSearchParams(text)
      const given = fields.get("answer")
      const reason = reasonOf(fields.get("reason") ?? "")
      const version = Number(fields.get("version"))
      if (given !== "accept" && given !== "decline") return yield* show(place, { text: "look_again", status: 422 })
      return yield* portal.answer(place.token, place.asked, { accepted: given === "accept", version, reason }).pipe(
        Effect.as(HttpServerResponse.redirect(pathOf(place), { status: 303 })),
        Effect.catchTag("AnswerRefused", () => show(place, { text: "look_again", status: 409 }))
      )
    })

    const route = <A, R>(handle: (place: Place) => Effect.Effect<A, PortalClosed, R>) =>
      Effect.gen(function* () {
        const { document, id, token = "" } = yield* HttpRouter.params
        if (document === undefined) return yield* handle({ token, asked: undefined })
        const asked = Option.getOrUndefined(documentOf({ document, document_id: id }))
        return yield* asked === undefined ? new PortalClosed({ reason: "unknown" }) : handle({ token, asked })
      }).pipe(Effect.catchTag("PortalClosed", closed))

    const routesAt = (base: "/d/:token" | "/d/:token/:document/:id") =>
      Layer.mergeAll(
        HttpRouter.add("GET", base, route(show)),
        HttpRouter.add("POST", base, route(answer)),
        HttpRouter.add("GET", `${base}/pdf`, route(file("pdf"))),
        HttpRouter.add("GET", `${base}/xml`, route(file("xml"))),
        HttpRouter.add("GET", `${base}/receipt`, route(file("receipt"))),
        HttpRouter.add("GET", `${base}/attachments/:attachment`, route(attachment))
      )

    return Layer.mergeAll(routesAt("/d/:token"), routesAt("/d/:token/:document/:id"))
  })
)

interface Place {
  readonly token: string
  readonly asked: DocumentRef | undefined
}

const pathOf = ({ asked, token }: Place) =>
  asked === undefined ? `/d/${token}` : `/d/${token}/${asked.document}/${asked.document_id}`

/** Decodes the id of any document, because the ids of all kinds have the same format. */
const documentOf = Schema.decodeUnknownOption(Schema.Struct({ document: DocumentKind, document_id: inText(InvoiceId) }))

const savedXml = ({ bytes, name }: DocumentFile) =>
  HttpServerResponse.uint8Array(bytes, {
    contentType: "application/xml",
    headers: { "content-disposition": `attachment; filename="${name}"` }
  })

import { DateTime, Effect, Option } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { sha256Uuid } from "../../platform/crypto/Digest.ts"
import {
  type Answer,
  NetworkRefused,
  NetworkUnavailable,
  type ParticipantIdentifier,
  type Provider,
  type Response,
  type SentMessage
} from "../providers/Provider.ts"
import type { SubmissionsOnce } from "../providers/SubmissionsOnce.ts"
import { invoiceResponse, response_service } from "./InvoiceResponse.ts"
import { peppolIdentifier } from "./PeppolAddress.ts"
import { DocumentAnswer } from "./RecommandApi.ts"
import type { recommandClient } from "./RecommandClient.ts"
import type { recommandOutbox } from "./RecommandOutbox.ts"

interface Services {
  readonly outbox: Pick<ReturnType<typeof recommandOutbox>, "deliver">
  readonly once: SubmissionsOnce["Service"]
  readonly takesResponses: (participant: ParticipantIdentifier) => Effect.Effect<boolean, NetworkUnavailable>
}

type Told = Pick<Parameters<typeof invoiceResponse>[0], "code" | "reason">

/** Answers documents of suppliers with Invoice Responses, each of which is sent once. */
export const recommandAnswers = (
  { call }: ReturnType<typeof recommandClient>,
  { once, outbox, takesResponses }: Services,
  organization_id: OrganizationId
): Pick<Provider, "respond" | "tellPayment"> => {
  const document = (id: string) =>
    call(DocumentAnswer, { method: "GET", path: `/documents/${encodeURIComponent(id)}` }).pipe(
      Effect.map(({ value }) => value.document),
      Effect.catchTags({
        Unanswered: ({ message }) => Effect.fail(new NetworkUnavailable({ message, is_unsent: true })),
        Unexpected: ({ message, status }) =>
          Effect.fail(
            status === 404
              ? new NetworkRefused({ code: "refused", message })
              : new NetworkUnavailable({ message, is_unsent: true })
          )
      })
    )

  const requireResponses = Effect.fnUntraced(function* (supplier: ParticipantIdentifier) {
    if (!(yield* takesResponses(supplier))) return yield* incapable
  })

  const answer = Effect.fnUntraced(function* (
    { document_reference, transmission_id: document_id }: Pick<Response, "document_reference" | "transmission_id">,
    told: Told
  ) {
    const { receiverId, senderId } = yield* document(document_id)
    if (document_reference === null || receiverId === null) return yield* unanswerable
    const transmission_id = sha256Uuid(`${document_id}:${told.code}`)
    const [buyer, seller] = [peppolIdentifier(receiverId), peppolIdentifier(senderId)]
    const xml = new TextEncoder().encode(
      invoiceResponse({ ...told, id: transmission_id, at: yield* DateTime.now, document_reference, buyer, seller })
    )
    const { at, reference } = yield* outbox.deliver({
      transmission_id,
      recipient: senderId,
      xml,
      service: response_service,
      permission: requireResponses(seller)
    })
    const bytes = Option.getOrElse(yield* once.content({ organization_id, transmission_id }), () => xml)
    const receipt = { type: "invoice_response", content_type: "application/xml", bytes }
    return Option.some<SentMessage>({ at, code: told.code, reference, receipt })
  })

  return {
    respond: Effect.fn("Recommand.respond")((response) =>
      response.answer === "accepted"
        ? answer(response, { code: "AP", reason: null })
        : answer(response, { code: "RE", reason: response.reason ?? "Refused" })
    ),
    tellPayment: Effect.fn("Recommand.tellPayment")((payment) => answer(payment, { code: "PD", reason: null }))
  }
}

const incapable: Answer<never> = Effect.fail(
  new NetworkRefused({
    code: "recipient_incapable",
    message: "The supplier does not accept answers over Peppol (Invoice Response), so nothing was sent."
  })
)

const unanswerable: Answer<never> = Effect.fail(
  new NetworkRefused({
    code: "refused",
    message: "The document lacks its number, its date or its type, so no answer can name it."
  })
)

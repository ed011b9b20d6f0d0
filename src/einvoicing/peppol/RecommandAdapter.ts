import { Effect, Schema } from "effect"
import { easCode } from "../../customers/identifiers/NetworkIdentifier.ts"
import { described } from "../../kernel/Described.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { Outbound } from "../../platform/outbound/Outbound.ts"
import { adapter, HttpUrl } from "../providers/Adapter.ts"
import {
  type Answer,
  type Enrollment,
  NetworkRefused,
  NetworkUnavailable,
  type ParticipantIdentifier,
  type Provider
} from "../providers/Provider.ts"
import type { Unanswered, Unexpected } from "../providers/RestAnswer.ts"
import { SubmissionsOnce } from "../providers/SubmissionsOnce.ts"
import { peppolAddress } from "./PeppolAddress.ts"
import { PeppolDirectory } from "./PeppolDirectory.ts"
import { response_service } from "./InvoiceResponse.ts"
import { ResponsesRepo } from "./ResponsesRepo.ts"
import { recommandAnswers } from "./RecommandAnswers.ts"
import { CompanyAnswer, Done, DocumentTypesAnswer, IdentifiersAnswer, SupportAnswer } from "./RecommandApi.ts"
import { recommandClient } from "./RecommandClient.ts"
import { makeRecommandInbox } from "./RecommandInbox.ts"
import { recommandOutbox } from "./RecommandOutbox.ts"
import { UnreadArrivalsRepo } from "../received/UnreadArrivalsRepo.ts"

const url_default = "https://app.recommand.eu"

const Settings = Schema.Struct({
  url: described(Schema.optionalKey(HttpUrl), `Address of the access point. Default: ${url_default}.`),
  api_key: described(Schema.NonEmptyString, "API key of the team."),
  api_secret: described(Schema.RedactedFromValue(Schema.NonEmptyString), "Secret of the API key."),
  company_id: described(Schema.NonEmptyString, "Id of the organization's verified company."),
  environment: described(
    Schema.optionalKey(Schema.Literals(["production", "playground"])),
    "`playground` for a team whose documents are not sent. Default: `production`."
  )
})

/**
 * Connects an organization to Peppol by the access point Recommand, which is open source and can be self-hosted. The
 * operator creates and verifies the organization's company at Recommand, because Peppol requires proof of identity.
 */
export const recommandAdapter = Effect.gen(function* () {
  const outbound = yield* Outbound
  const directory = yield* PeppolDirectory
  const once = yield* SubmissionsOnce
  const responses = yield* ResponsesRepo
  const inboxOf = yield* makeRecommandInbox

  const connect = (organization_id: OrganizationId, settings: typeof Settings.Type): Provider => {
    const { api_key, api_secret, company_id, url = url_default } = settings
    const client = recommandClient(outbound, { url, api_key, api_secret })
    const isReal = (settings.environment ?? "production") === "production"
    const path = `/companies/${encodeURIComponent(company_id)}`
    const outbox = recommandOutbox(client, { once, responses }, { organization_id, company_id })
    const inbox = inboxOf(client, { organization_id, company_id })

    /**
     * Fetches the organization's company from Recommand. Wrong credentials and an unknown company count as a refusal,
     * because only an operator can fix them.
     */
    const company = client.call(CompanyAnswer, { method: "GET", path }).pipe(
      Effect.map(({ value }) => value.company),
      Effect.catchTags({
        Unanswered: ({ message }) => Effect.fail(new NetworkUnavailable({ message })),
        Unexpected: ({ message, status }) =>
          Effect.fail(
            status === 401 || status === 403 || status === 404
              ? new NetworkRefused({ code: "refused", message })
              : new NetworkUnavailable({ message })
          )
      })
    )

    const setReceiver = (isSmpRecipient: boolean) =>
      client.ask(CompanyAnswer, { method: "PUT", path, body: { isSmpRecipient } })

    /** Registers that the company accepts the answers of its customers. */
    const takeResponses = Effect.gen(function* () {
      const { document_type: docTypeId, process: processId } = response_service
      const { documentTypes } = yield* client.ask(DocumentTypesAnswer, {
        method: "GET",
        path: `${path}/document-types`
      })
      if (documentTypes.some((known) => known.docTypeId === docTypeId)) return
      yield* client.ask(Done, { method: "POST", path: `${path}/document-types`, body: { docTypeId, processId } })
    })

    /**
     * Returns whether a participant accepts responses to documents. Without a directory, the access point is asked. In
     * Recommand's test environment (playground), every participant accepts them.
     */
    const takesResponses = (participant: ParticipantIdentifier) => {
      if (!isReal) return Effect.succeed(true)
      if (directory.takesResponses !== undefined) return directory.takesResponses(participant)
      const body = { peppolAddress: peppolAddress(participant), documentType: response_service.document_type }
      const asked = client.ask(SupportAnswer, { method: "POST", path: "/verify-document-support", body })
      return Effect.map(asked, ({ isValid }) => isValid)
    }

    const enroll = Effect.fn("Recommand.enroll")(function* ({ identifiers, roles }: Enrollment) {
      const known = yield* company
      if (isReal && !known.isVerified) {
        return yield* new NetworkRefused({ code: "refused", message: "The access point has not verified the company." })
      }
      const listed = yield* client.ask(IdentifiersAnswer, { method: "GET", path: `${path}/identifiers` })
      const spelled = new Set(
        listed.identifiers.map(({ identifier, scheme }) => `${scheme}:${identifier}`.toLowerCase())
      )
      for (const identifier of identifiers) {
        if (spelled.has(peppolAddress(identifier).toLowerCase())) continue
        const body = { scheme: easCode(identifier.scheme), identifier: identifier.value }
        yield* client.call(Done, { method: "POST", path: `${path}/identifiers`, body }).pipe(identifierTaken)
      }
      yield* takeResponses
      if (known.isSmpRecipient !== roles.acts_as_receiver) yield* setReceiver(roles.acts_as_receiver)
    })

    return {
      name: isReal ? "Recommand" : "Recommand playground",
      environment: isReal ? "production" : "sandbox",
      check: Effect.asVoid(company),
      lookup: isReal ? directory.lookup : undefined,
      enroll,
      update: enroll,
      // A company that receives nothing can still send its pending documents.
      withdraw: () => Effect.asVoid(setReceiver(false)),
      submit: Effect.fn("Recommand.submit")((transmission) =>
        outbox.submit(
          transmission,
          isReal ? directory.requireReceiver(transmission.recipient, transmission.document_type) : Effect.void
        )
      ),
      poll: outbox.poll,
      arrivals: inbox.arrivals,
      confirm: inbox.confirm,
      ...recommandAnswers(client, { once, outbox, takesResponses }, organization_id)
    }
  }

  const account = ({ company_id, url = url_default }: typeof Settings.Type) => `${new URL(url).host}/${company_id}`
  return adapter({ code: "recommand", network: "peppol", name: "Recommand", settings: Settings, account, connect })
}).pipe(Effect.provide([ResponsesRepo.layer, UnreadArrivalsRepo.layer]))

/** The access point answers 400 if another company has the identifier, at this or at another access point. */
const identifierTaken = <A>(registering: Effect.Effect<A, Unanswered | Unexpected | NetworkUnavailable>): Answer<A> =>
  Effect.catchTags(registering, {
    Unanswered: ({ message }) => Effect.fail(new NetworkUnavailable({ message })),
    Unexpected: ({ message, status }) =>
      Effect.fail(
        status === 400 ? new NetworkRefused({ code: "identifier_taken", message }) : new NetworkUnavailable({ message })
      )
  })

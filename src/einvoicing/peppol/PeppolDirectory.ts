import { Clock, Context, Effect, FileSystem, Layer, Option } from "effect"
import { easCode, identifierScheme } from "../../customers/identifiers/NetworkIdentifier.ts"
import { all, at, xmlTree } from "../../platform/documents/XmlTree.ts"
import { AppConfig, SettingInvalid } from "../../platform/config/AppConfig.ts"
import { certificatesIn } from "../../platform/crypto/signatures/Certificates.ts"
import { naptrRecords } from "../../platform/outbound/NaptrRecords.ts"
import { Outbound } from "../../platform/outbound/Outbound.ts"
import { DocumentType } from "../providers/Network.ts"
import {
  NetworkRefused,
  NetworkUnavailable,
  type Participant,
  type ParticipantIdentifier,
  type Provider
} from "../providers/Provider.ts"
import { response_service } from "./InvoiceResponse.ts"
import { locate, participantName, participantText } from "./ServiceLocator.ts"
import { hasEndpoint, redirectOf, signedMetadata, subjectOf } from "./SignedMetadata.ts"

const smp_time_limit = "5 seconds"
const smp_answer_bytes_max = 1_000_000

const process = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"
const transport = "peppol-transport-as4-v2_0"
const billing = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1"
const ubl = "urn:oasis:names:specification:ubl:schema:xsd"

interface Service {
  readonly document_type: string
  readonly process: string
}

const billing_services: Readonly<Record<DocumentType, Service>> = {
  invoice: { document_type: `${ubl}:Invoice-2::Invoice##${billing}`, process },
  credit_note: { document_type: `${ubl}:CreditNote-2::CreditNote##${billing}`, process }
}

const qualified = (document_type: string) => `busdox-docid-qns::${document_type}`

/**
 * Finds the server of a Peppol participant (SMP) in the DNS (SML). Its signed answers list the document types that the
 * participant accepts. The address of the server comes from strangers, so only public addresses are called.
 */
export class PeppolDirectory extends Context.Service<
  PeppolDirectory,
  {
    /** Absent without trusted certificates, because the signature of an SMP's answer then proves nothing. */
    readonly lookup: Provider["lookup"]
    readonly requireReceiver: (
      identifier: ParticipantIdentifier,
      type: DocumentType
    ) => Effect.Effect<void, NetworkRefused | NetworkUnavailable>
    /** Returns whether a participant accepts Invoice Responses; absent without trusted certificates. */
    readonly takesResponses?: (identifier: ParticipantIdentifier) => Effect.Effect<boolean, NetworkUnavailable>
  }
>()("invoicing/einvoicing/peppol/PeppolDirectory") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { peppol } = yield* AppConfig
      const outbound = yield* Outbound
      if (Option.isNone(peppol.trustedCertificates)) return without_directory
      const trusted = yield* trustedIn(peppol.trustedCertificates.value)
      const resolve = yield* naptrRecords(peppol.dnsServers)

      const read = Effect.fnUntraced(function* (url: string) {
        const { bytes, status } = yield* outbound
          .request({
            method: "GET",
            url,
            headers: { accept: "application/xml, text/xml" },
            time_limit: smp_time_limit,
            answer_bytes_max: smp_answer_bytes_max,
            trusted: false
          })
          .pipe(Effect.mapError(({ reason }) => unavailable(`The participant's SMP cannot be queried: ${reason}`)))
        if (status === 404) return Option.none<string>()
        if (status !== 200) return yield* unavailable(`The participant's SMP answers ${status}.`)
        return Option.some(new TextDecoder().decode(bytes))
      })

      const verified = Effect.fnUntraced(function* (xml: string) {
        return yield* signedMetadata(xml, trusted, yield* Clock.currentTimeMillis).pipe(
          Effect.tapError(({ reason }) => Effect.logWarning(`an answer of an SMP is not trusted: ${reason}`)),
          Effect.mapError(({ reason }) => unavailable(`The answer of the participant's SMP is not trusted: ${reason}`))
        )
      })

      const takes = Effect.fnUntraced(function* (address: string, participant: string, service: Service) {
        const document_type = qualified(service.document_type)
        const first = yield* read(`${address}/services/${encodeURIComponent(document_type)}`)
        if (Option.isNone(first)) return false
        let metadata = yield* verified(first.value)
        const redirect = redirectOf(metadata)
        if (redirect !== undefined) {
          const second = yield* read(redirect)
          if (Option.isNone(second)) return false
          metadata = yield* verified(second.value)
          if (redirectOf(metadata) !== undefined) return yield* unavailable("The participant's SMP redirects twice.")
        }
        const subject = subjectOf(metadata)
        if (subject.participant.toLowerCase() !== participant || subject.document_type !== document_type) {
          return yield* unavailable("The participant's SMP answers another query.")
        }
        return hasEndpoint(metadata, { process: service.process, transport, at_ms: yield* Clock.currentTimeMillis })
      })

      /**
       * Returns a function that checks whether the participant accepts a service; none for an unregistered participant.
       */
      const registered = Effect.fnUntraced(function* (identifier: ParticipantIdentifier) {
        const smp = yield* locate(resolve, participantName(identifier, peppol.smlZone))
        if (Option.isNone(smp)) return Option.none()
        const participant = participantText(identifier)
        const address = `${smp.value.replace(/\/+$/, "")}/${encodeURIComponent(participant)}`
        const group = yield* read(address)
        if (Option.isNone(group)) return Option.none()
        const offered = offeredIn(group.value)
        return Option.some((service: Service) =>
          offered.has(qualified(service.document_type)) ? takes(address, participant, service) : Effect.succeed(false)
        )
      })

      const takesResponses = Effect.fn("PeppolDirectory.takesResponses")(function* (identifier: ParticipantIdentifier) {
        const participant = yield* registered(identifier)
        return Option.isSome(participant) && (yield* participant.value(response_service))
      })

      const lookup = Effect.fn("PeppolDirectory.lookup")(function* (identifier: ParticipantIdentifier) {
        const participant = yield* registered(identifier)
        if (Option.isNone(participant)) return Option.none<Participant>()
        const document_types = yield* Effect.filter(DocumentType.literals, (type) =>
          participant.value(billing_services[type])
        )
        const { scheme, value } = identifier
        const country = Option.flatMapNullishOr(identifierScheme(easCode(scheme)), (known) => known.country)
        return Option.some({ scheme, value, name: null, country_code: Option.getOrNull(country), document_types })
      })

      const requireReceiver = Effect.fn("PeppolDirectory.requireReceiver")(function* (
        identifier: ParticipantIdentifier,
        type: DocumentType
      ) {
        const participant = yield* lookup(identifier)
        if (Option.isNone(participant)) {
          return yield* new NetworkRefused({
            code: "recipient_unknown",
            message: "The recipient is not registered on Peppol."
          })
        }
        if (participant.value.document_types.includes(type)) return
        return yield* new NetworkRefused({
          code: "recipient_incapable",
          message: `The recipient does not accept ${type === "invoice" ? "invoices" : "credit notes"} over Peppol.`
        })
      })

      return PeppolDirectory.of({ lookup, requireReceiver, takesResponses })
    })
  )
}

/** Without trusted certificates, no recipient is refused here, because the access point itself looks it up. */
const without_directory = PeppolDirectory.of({ lookup: undefined, requireReceiver: () => Effect.void })

const unusable = (message: string) =>
  new SettingInvalid({ message: `PEPPOL_TRUSTED_CERTIFICATES is invalid: ${message}` })

/** A file without certificates is refused, because then no answer could be trusted. */
const trustedIn = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const pem = yield* Effect.mapError(files.readFileString(file), () => unusable(`${file} cannot be read.`))
  const certificates = yield* Effect.try({
    try: () => certificatesIn(pem),
    catch: () => unusable(`a certificate in ${file} is malformed.`)
  })
  return certificates.length > 0 ? certificates : yield* unusable(`${file} holds no certificate (PEM).`)
})

const unavailable = (message: string) => new NetworkUnavailable({ message })

/** Returns the document types that an SMP lists for a participant. */
const offeredIn = (xml: string): ReadonlySet<string> =>
  new Set(
    all(at(Option.getOrUndefined(xmlTree(xml)), "ServiceMetadataReferenceCollection"), "ServiceMetadataReference")
      .flatMap(({ attributes: { href = "" } }) => /\/services\/([^/?#]+)/.exec(href)?.[1] ?? [])
      .map(decoded)
  )

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

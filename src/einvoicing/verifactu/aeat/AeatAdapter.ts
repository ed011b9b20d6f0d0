import { Effect, Redacted, Schema, Stream } from "effect"
import type { Environment } from "../../../kernel/Environment.ts"
import { described } from "../../../kernel/Described.ts"
import type { OrganizationId } from "../../../kernel/Ids.ts"
import { opensWith } from "../../../platform/crypto/signatures/Certificates.ts"
import { Outbound } from "../../../platform/outbound/Outbound.ts"
import { adapter } from "../../providers/Adapter.ts"
import { NetworkRefused, NetworkUnavailable, type Provider } from "../../providers/Provider.ts"
import { makeAeatComparison } from "./AeatComparison.ts"
import { makeAeatOutbox, xml_type } from "./AeatOutbox.ts"
import type { Post } from "./AeatReconciliation.ts"
import { certificate_settings, system_settings, systemOf } from "../AeatSettings.ts"
import { makeKeptBooks } from "../kept/KeptBooks.ts"
import { RecordChain } from "../RecordChain.ts"
import type { ChainKey } from "../RecordsRepo.ts"

const path = "/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP"
const hosts = {
  production: { personal: "www1.agenciatributaria.gob.es", seal: "www10.agenciatributaria.gob.es" },
  test: { personal: "prewww1.aeat.es", seal: "prewww10.aeat.es" }
}
const time_limit = "60 seconds"
/** The largest answer of the AEAT lists 10,000 records and has about 20 MB. */
const answer_bytes_max = 32 * 1024 * 1024
const retry_after_seconds_default = 60

const Settings = Schema.Struct({
  ...system_settings,
  ...certificate_settings,
  certificate_kind: described(
    Schema.optionalKey(Schema.Literals(["personal", "seal"])),
    "`seal` for an electronic seal of the business (sello de entidad). Default: `personal`."
  ),
  environment: described(
    Schema.optionalKey(Schema.Literals(["production", "test"])),
    "`test` for the AEAT's test service. Default: `production`."
  ),
  url: described(Schema.optionalKey(Schema.String), "Address of the service, in place of the AEAT's own."),
  authority: described(
    Schema.optionalKey(Schema.String),
    "Certificates (PEM) that a server at another address must be signed by."
  ),
  last_day: described(
    Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d{4}-12-31$/, { message: "must be a 31 December." }))),
    "Last day of VERI*FACTU, such as 2027-12-31. The messages of that year announce it to the AEAT."
  )
})

/** The methods that are the same for records that are sent to the AEAT and records that are only stored here. */
export const silent = {
  offline: ["enroll", "update", "withdraw", "poll", "arrivals", "confirm", "respond"],
  // The AEAT already knows its taxpayers, so there is no registration, and it delivers no documents.
  enroll: () => Effect.void,
  update: () => Effect.void,
  withdraw: () => Effect.void,
  arrivals: Stream.empty,
  confirm: () => Effect.void,
  respond: () => Effect.fail(new NetworkRefused({ code: "refused", message: "The AEAT delivers no documents." }))
} satisfies Partial<Provider>

/** Sends the records of an organization to the Spanish tax agency (VERI*FACTU). */
export const aeatAdapter = Effect.gen(function* () {
  const outbound = yield* Outbound
  const chain = yield* RecordChain
  const outbox = yield* makeAeatOutbox
  const compare = yield* makeAeatComparison
  const books = yield* makeKeptBooks

  const connect = (organization_id: OrganizationId, settings: typeof Settings.Type): Provider => {
    const isTest = settings.environment === "test"
    const environment: Environment = isTest ? "sandbox" : "production"
    const key: ChainKey = { organization_id, environment }
    const pfx = Buffer.from(Redacted.value(settings.certificate), "base64")
    const passphrase = Redacted.value(settings.certificate_password)
    const identity = { pfx, passphrase, ca: settings.authority }
    const host = hosts[isTest ? "test" : "production"][settings.certificate_kind ?? "personal"]
    const url = settings.url ?? `https://${host}${path}`

    const ask = (method: "GET" | "POST", body = "") =>
      outbound
        .request({
          method,
          url,
          headers: { "content-type": xml_type, soapaction: '""' },
          body,
          time_limit,
          answer_bytes_max,
          trusted: true,
          identity
        })
        .pipe(Effect.mapError(({ reason }) => new NetworkUnavailable({ message: reason })))

    const post: Post = Effect.fn("AeatAdapter.post")(function* (envelope: string) {
      const { bytes, retry_after, status } = yield* ask("POST", envelope)
      // An error in SOAP has the status 500, and the body of the answer describes the error.
      if (status === 200 || status === 500) return new TextDecoder().decode(bytes)
      const message = `The AEAT answers with status ${status}.`
      if (status !== 429 && status !== 503) return yield* new NetworkUnavailable({ message })
      const seconds = Number(retry_after._tag === "Some" ? retry_after.value : Number.NaN)
      const retry_after_seconds = Number.isFinite(seconds) && seconds > 0 ? seconds : retry_after_seconds_default
      return yield* new NetworkUnavailable({ message, retry_after_seconds })
    })

    const check = Effect.gen(function* () {
      if (!opensWith(pfx, passphrase)) {
        const message =
          "The certificate does not open with this password, or is encrypted in a way that is no longer safe; " +
          "export it again with AES."
        return yield* new NetworkRefused({ code: "refused", message })
      }
      const { status } = yield* ask("GET")
      if (status !== 401 && status !== 403) return
      return yield* new NetworkRefused({ code: "refused", message: "The AEAT does not accept the certificate." })
    })

    const service = { post, last_day: settings.last_day ?? null }
    const sent = { chain: key, system: systemOf(settings), state: "waiting" } as const
    return {
      ...silent,
      name: isTest ? "VERI*FACTU (test service)" : "VERI*FACTU",
      environment,
      check,
      write: (invoice, writing) => chain.register(invoice, { ...writing, ...sent }),
      submit: (transmission) => outbox.submit(key, service, transmission),
      cancel: (writing) =>
        Effect.andThen(
          chain.cancel({ ...writing, ...sent }),
          outbox.sendCancellation(key, service, writing.transmission_id)
        ),
      compare: (month) => compare(key, post, settings.taxpayer_nif, month),
      poll: (transmission_id) => outbox.poll(key, transmission_id),
      // Records that were stored here before the organization joined VERI*FACTU can still be checked and exported.
      books: books.of(key, null)
    }
  }

  // A certificate may act for many taxpayers, so the NIF of the taxpayer is the account.
  const account = ({ taxpayer_nif }: typeof Settings.Type) => taxpayer_nif
  return adapter({ code: "aeat", network: "es_verifactu", name: "VERI*FACTU", settings: Settings, account, connect })
})

import { Effect, Option } from "effect"
import { isValidAt } from "../../../platform/crypto/signatures/Certificates.ts"
import { identityIn, type SigningIdentity } from "../../../platform/crypto/signatures/Pkcs12.ts"
import { signedEnveloped } from "../../../platform/crypto/signatures/XmlSignature.ts"
import { NetworkRefused } from "../../providers/Provider.ts"
import type { Sign } from "../RecordChain.ts"

/**
 * The signature policy of the Spanish administration (AGE, version 1.9), prescribed by the AEAT in "Especificaciones
 * técnicas para la generación de la firma electrónica de los registros de facturación y de evento", version 0.1.5,
 * section 4.
 */
const policy = {
  identifier: "urn:oid:2.16.724.1.3.1.1.2.1.9",
  sha1: "G7roucf600+f03r/o0bAOQ6WAs0=",
  location: "https://sede.administracion.gob.es/politica_de_firma_anexo_1.pdf"
}

/** A signature is the last child of the root of an invoice record, and of the element `Evento` of an event. */
const places = { record: "/*", event: "/*/*[local-name()='Evento']" }

const closed = "The certificate does not open with this password; export it again with AES."
const unfit = "The AEAT only accepts RSA signatures."
const invalid = "The certificate has expired, or is not valid yet."

/** Signs as Orden HAC/1177/2024, art. 14, requires: XAdES enveloped, with the organization's certificate. */
export const signingWith = (pfx: Uint8Array, passphrase: string) => {
  let opened: Option.Option<SigningIdentity> | undefined
  const identity = () => (opened ??= identityIn(pfx, passphrase))

  const signing =
    (place: string): Sign =>
    (xml, signed_at) =>
      signedEnveloped(xml, Option.getOrThrow(identity()), { policy, signed_at, place })

  /** Refuses a certificate file that cannot sign at this time. */
  const check = (at_ms: number): Effect.Effect<void, NetworkRefused> => {
    const reason = Option.match(identity(), {
      onNone: () => closed,
      onSome: ({ certificate, key }) => {
        if (key.asymmetricKeyType !== "rsa") return unfit
        return isValidAt(certificate, at_ms) ? null : invalid
      }
    })
    return reason === null ? Effect.void : Effect.fail(new NetworkRefused({ code: "refused", message: reason }))
  }

  return { record: signing(places.record), event: signing(places.event), check }
}

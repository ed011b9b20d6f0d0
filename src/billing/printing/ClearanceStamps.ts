import { Context, Effect, Option } from "effect"
import type { Timestamp } from "../../kernel/Calendar.ts"
import type { CurrentOrganization } from "../../platform/http/Security.ts"
import type { DocumentKind } from "../../kernel/DocumentKind.ts"

/** What a tax authority gives a document when it clears it. */
export interface ClearanceStamp {
  /** What the authority knows the document by, e.g. a CFDI's UUID or a KSeF number. */
  readonly identifier: string
  readonly stamped_at: Timestamp
  /** The authority's digital seal, as text. */
  readonly seal: string | null
  /** What the QR code says, at most 331 bytes: usually where anybody can verify the document. */
  readonly qr: string | null
}

/** A country where a document counts for tax only once its authority has cleared it, and the words it uses. */
export interface ClearanceModel {
  readonly authority: string
  readonly identifier: string
  readonly seal: string
}

/** Contract section 11, `model: "clearance"`. Names of the law stay in its language. */
const models: ReadonlyMap<string, ClearanceModel> = new Map([
  ["IT", { authority: "Sistema di Interscambio (SdI)", identifier: "Identificativo SdI", seal: "Impronta" }],
  ["PL", { authority: "Krajowy System e-Faktur (KSeF)", identifier: "Numer KSeF", seal: "Skrót SHA-256" }],
  ["RO", { authority: "RO e-Factura (SPV)", identifier: "Index încărcare", seal: "Semnătura MF" }],
  ["MX", { authority: "SAT (CFDI 4.0)", identifier: "Folio fiscal (UUID)", seal: "Sello digital del SAT" }]
])

export const clearanceModelOf = (country: string): Option.Option<ClearanceModel> =>
  Option.fromNullishOr(models.get(country))

/** What became of a document that was submitted to an e-invoicing network. */
export interface NetworkRecord {
  /** The network, and the authority behind it, are simulated. */
  readonly sandbox: boolean
  /** Null until the authority has cleared the document, and on a network that clears none. */
  readonly stamp: ClearanceStamp | null
}

/** Port: the e-invoicing context knows what networks and authorities did with a document. None: it was not submitted. */
export const ClearanceStamps = Context.Reference<{
  readonly find: (document: {
    readonly kind: DocumentKind
    readonly id: number
  }) => Effect.Effect<Option.Option<NetworkRecord>, never, CurrentOrganization>
}>("invoicing/billing/printing/ClearanceStamps", {
  defaultValue: () => ({ find: () => Effect.succeedNone })
})

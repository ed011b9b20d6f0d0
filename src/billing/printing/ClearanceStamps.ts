import { type BigDecimal, Context, type Effect, Option } from "effect"
import type { Day, Timestamp } from "../../kernel/Calendar.ts"
import type { CurrencyCode } from "../../kernel/Currency.ts"
import type { CurrentOrganization } from "../../platform/http/Security.ts"
import type { DocumentKind } from "../../kernel/DocumentKind.ts"
import type { Correspondents } from "../correspondence/Correspondents.ts"
import type { TaxGroup } from "../lines/Tax.ts"

export interface ClearanceStamp {
  /** Identifier that the authority assigned to the document, e.g. a CFDI's UUID or a KSeF number. */
  readonly identifier: string
  readonly stamped_at: Timestamp
  /** The authority's digital seal, as text. */
  readonly seal: string | null
  /** Content of the QR code, at most 331 bytes: usually a URL where anybody can verify the document. */
  readonly qr: string | null
}

/** The name of a tax authority, and its terms for the identifier and the seal that are printed on a document. */
export interface ClearanceModel {
  readonly authority: string
  readonly identifier: string
  readonly seal: string
}

/** Countries whose tax authority clears documents, with its terms (rules/e-invoicing.md, Networks). */
const models: ReadonlyMap<string, ClearanceModel> = new Map([
  ["IT", { authority: "Sistema di Interscambio (SdI)", identifier: "Identificativo SdI", seal: "Impronta" }],
  ["PL", { authority: "Krajowy System e-Faktur (KSeF)", identifier: "Numer KSeF", seal: "Skrót SHA-256" }],
  ["RO", { authority: "RO e-Factura (SPV)", identifier: "Index încărcare", seal: "Semnătura MF" }],
  ["MX", { authority: "SAT (CFDI 4.0)", identifier: "Folio fiscal (UUID)", seal: "Sello digital del SAT" }]
])

export const clearanceModelOf = (country: string): Option.Option<ClearanceModel> =>
  Option.fromNullishOr(models.get(country))

export interface NetworkRecord {
  /** True when the e-invoicing network and the tax authority are simulated. */
  readonly sandbox: boolean
  /** Null until the authority has cleared the document, and on a network without clearance. */
  readonly stamp: ClearanceStamp | null
}

/** The QR code by which anybody can verify a document. The law prescribes its title and the sentence beside it. */
export interface TaxQr {
  readonly url: string
  readonly title: string
  readonly sentence: string | null
}

/** The facts of a printed document that its QR code states. */
export interface VerifiableDocument {
  readonly kind: "invoice" | "credit_note"
  /** Null on a document that was not issued, which has no QR code. */
  readonly number: string | null
  readonly issue_date: Day | null
  readonly currency: CurrencyCode
  readonly exchange_rate: BigDecimal.BigDecimal | null
  readonly tax_breakdown: ReadonlyArray<TaxGroup>
}

/** The facts that decide whether a document has a QR code. */
export interface RecordableDocument extends Pick<VerifiableDocument, "kind"> {
  readonly id: number
  /** Null while the document is being issued. */
  readonly issued_at: Timestamp | null
}

/**
 * Implemented by `src/einvoicing`, which records submissions. `find` returns none if the document was not submitted.
 */
export class ClearanceStamps extends Context.Service<
  ClearanceStamps,
  {
    readonly find: (document: {
      readonly kind: DocumentKind
      readonly id: number
    }) => Effect.Effect<Option.Option<NetworkRecord>, never, CurrentOrganization>
    /**
     * Returns the QR code of the tax authority; none where the law requires no QR code. Later changes of the
     * registration do not change the QR code of a document with a record.
     */
    readonly qr: (
      document: VerifiableDocument & RecordableDocument,
      parties: Pick<Correspondents, "organization">
    ) => Effect.Effect<Option.Option<TaxQr>, never, CurrentOrganization>
  }
>()("invoicing/billing/printing/ClearanceStamps") {}

import type { EinvoiceId } from "../../kernel/Ids.ts"
import type { ItalianTaxRegime, OrganizationSettings } from "../../kernel/OrganizationSettings.ts"
import { fatturaDocument } from "../fatturapa/FatturaDocument.ts"
import { progressiveOf } from "../fatturapa/FatturaFile.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import { fatturaPa, frenchBilling, peppolBilling, type Profile, verifactu } from "../invoice/Profiles.ts"
import { ublDocument } from "../ubl/UblDocument.ts"

/** The facts of a submission that the invoice itself does not state. */
interface Sending {
  readonly id: EinvoiceId
  readonly settings: OrganizationSettings
}

export interface Form {
  /** The name of the format in the API. */
  readonly code: string
  readonly profile: Profile
  /** Null if the provider writes the document, because its content depends on earlier documents. */
  readonly write: ((invoice: EInvoice, sending: Sending) => string) | null
}

/** The format in which a document is sent, or the reason why no document can be sent. */
export type FormOffer =
  | { readonly isWritten: true; readonly form: Form }
  | { readonly isWritten: false; readonly specification: string; readonly reason: string }

const written = (form: Form) => ({ isWritten: true, form }) as const

/** The law of the country requires a format that this service does not write. */
export const unwritten = (specification: string, reason: string): FormOffer => ({
  isWritten: false,
  specification,
  reason
})

export const peppolBis = written({ code: "peppol-bis-billing-3", profile: peppolBilling, write: ublDocument })

export const frenchCtc = written({ code: "fr-ctc-ubl", profile: frenchBilling, write: ublDocument })

/** The Italian tax regime of most businesses. */
const usual_regime = "RF01"

/** Returns the regime at the time of the issue or, if the document does not state it, the present one. */
export const italianRegime = (invoice: EInvoice, settings: OrganizationSettings): ItalianTaxRegime =>
  invoice.it_tax_regime ?? settings.it_tax_regime ?? usual_regime

export const fatturaForm = written({
  code: "fatturapa-1.2",
  profile: fatturaPa,
  write: (invoice, { id, settings }) =>
    fatturaDocument(invoice, { progressive: progressiveOf(id), regime: italianRegime(invoice, settings) })
})

export const verifactuForm = written({ code: "verifactu-1.0", profile: verifactu, write: null })

import { companies, type EinvoicingCountry, usual } from "./EinvoicingCountry.ts"
import { type FormOffer, unwritten } from "./Form.ts"

const both = (offer: FormOffer) => ({ domestic: offer, abroad: offer })

/** Countries whose authority accepts only a format that this service does not write. */
export const unwritten_countries: ReadonlyArray<EinvoicingCountry> = [
  {
    ...usual,
    code: "PL",
    law: "Invoices are issued in KSeF since February and April 2026.",
    network: "pl_ksef",
    schemes: companies("9945"),
    vat_scheme: "9945",
    form: both(unwritten("ksef-fa-3", "KSeF takes FA(3) alone, which is not written."))
  },
  {
    ...usual,
    code: "RO",
    law: "Invoices are valid only once RO e-Factura has taken them.",
    network: "ro_spv",
    schemes: companies("9947"),
    vat_scheme: "9947",
    form: both(unwritten("ro-cius-ubl", "RO e-Factura takes CIUS-RO alone, which is not written."))
  },
  {
    ...usual,
    code: "MX",
    law: "The taxpayer signs every CFDI, and a PAC stamps it.",
    network: "mx_cfdi",
    schemes: companies("MX:RFC"),
    vat_scheme: null,
    form: both(
      unwritten(
        "cfdi-4.0",
        "The taxpayer signs a CFDI before its provider stamps it, so no provider can convert another format."
      )
    )
  }
]

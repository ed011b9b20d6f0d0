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
    form: both(unwritten("ksef-fa-3", "KSeF only accepts FA(3), which this service does not write."))
  },
  {
    ...usual,
    code: "RO",
    law: "Invoices are valid only once RO e-Factura has accepted them.",
    network: "ro_spv",
    schemes: companies("9947"),
    vat_scheme: "9947",
    form: both(unwritten("ro-cius-ubl", "RO e-Factura only accepts CIUS-RO, which this service does not write."))
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

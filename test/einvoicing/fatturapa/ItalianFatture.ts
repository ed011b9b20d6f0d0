import { fatturaDocument } from "../../../src/einvoicing/fatturapa/FatturaDocument.ts"
import { fatturaRules } from "../../../src/einvoicing/fatturapa/FatturaRules.ts"
import { fatturaPa } from "../../../src/einvoicing/invoice/Profiles.ts"
import type { SourceDocument } from "../../../src/einvoicing/sources/FromDocument.ts"
import type { ItalianTaxRegime } from "../../../src/kernel/OrganizationSettings.ts"
import { customer_id, day, einvoice, item, parties, rate } from "../ubl/Documents.ts"
import { read } from "../ubl/XmlReader.ts"

export const header = "FatturaElettronicaHeader"
export const body = "FatturaElettronicaBody"
export const general = `${body}/DatiGenerali/DatiGeneraliDocumento`
export const line = `${body}/DatiBeniServizi/DettaglioLinee`
export const summary = `${body}/DatiBeniServizi/DatiRiepilogo`
export const payment = `${body}/DatiPagamento/DettaglioPagamento`

const rome = {
  name: "Officina Rossi S.r.l.",
  country: "IT",
  tax_number: "IT00743110157",
  registration_number: null,
  address_line1: "Via Roma 1",
  city: "Roma",
  postal_code: "00184",
  state: "RM",
  iban: "IT60X0542811101000000123456"
}
const milan = {
  ...rome,
  name: "Bianchi S.p.A.",
  tax_number: "IT12345670017",
  city: "Milano",
  postal_code: "20121",
  state: "IT-MI"
}
export const berlin = {
  ...rome,
  country: "DE",
  tax_number: "DE136695976",
  city: "Berlin",
  postal_code: "10117",
  state: null
}

interface Given {
  readonly customer?: object
  readonly organization?: object
  readonly recipient?: { readonly scheme: string; readonly value: string }
}

export const fattura = (source: SourceDocument, { customer = {}, organization = {}, recipient }: Given = {}) =>
  einvoice(source, parties({ customer: { ...milan, ...customer }, organization: { ...rome, ...organization } }), {
    profile: fatturaPa,
    sender: { scheme: "0211", value: "IT00743110157" },
    recipient: { ...(recipient ?? { scheme: "IT:SDI", value: "M5UXCR1" }), country_code: null }
  })

export const items = [item({ tax_rates: [rate("22")] })]
export const sending = { progressive: "0000A", regime: "RF01" } as const
export const xmlOf = (source: SourceDocument, given: Given = {}) =>
  read(fatturaDocument(fattura(source, given), sending))
export const rulesOf = (source: SourceDocument, given: Given = {}, regime: ItalianTaxRegime = "RF01") =>
  fatturaRules(fattura(source, given), customer_id, regime, day("2026-12-31")).map(
    ({ rule, severity }) => `${severity} ${rule}`
  )

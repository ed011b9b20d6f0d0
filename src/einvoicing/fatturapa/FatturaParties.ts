import { element, textElement, type XmlPart } from "../../platform/documents/Xml.ts"
import type { EInvoice, Party, PartyAddress } from "../invoice/EInvoice.ts"
import { isBlank } from "../records/Finding.ts"
import { compact } from "../../kernel/Text.ts"
import { ascii, fitsAscii, fitsLatin, latin, latinElement } from "./FatturaText.ts"
import type { ItalianTaxRegime } from "../../kernel/OrganizationSettings.ts"

const italy = "IT"

interface TaxIdentity {
  /** IdFiscaleIVA: the VAT number with its country. */
  readonly vat: { readonly country: string; readonly number: string } | null
  readonly fiscal_code: string | null
}

/** A foreign party without a tax number gets seven zeros in place of the number. */
const no_foreign_number = "0000000"

const partita_iva = /^IT(\d{11})$/
const codice_fiscale = /^(?:\d{11}|[A-Z]{6}[0-9A-Z]{10})$/

export const taxIdentity = ({ address, tax_registration, vat_identifier }: Party): TaxIdentity => {
  const numbers = [vat_identifier, tax_registration].flatMap((number) => (number === null ? [] : [compact(number)]))
  const italian = numbers.flatMap((number) => partita_iva.exec(number)?.[1] ?? [])[0]
  const isItalian = address.country === italy || italian !== undefined
  if (isItalian) {
    return {
      vat: italian === undefined ? null : { country: italy, number: italian },
      fiscal_code: numbers.find((number) => codice_fiscale.test(number)) ?? null
    }
  }
  const [number = no_foreign_number] = numbers
  const hasPrefix = vat_identifier !== null && /^[A-Z]{2}/.test(number)
  return {
    vat: { country: hasPrefix ? number.slice(0, 2) : (address.country ?? ""), number: number.slice(hasPrefix ? 2 : 0) },
    fiscal_code: null
  }
}

/**
 * True for a buyer that the file identifies by a foreign number. A business abroad may have an Italian VAT number; the
 * Sistema di Interscambio treats it like an Italian one (control 00313).
 */
export const isAbroad = (party: Party): boolean => {
  const { vat } = taxIdentity(party)
  return vat !== null && vat.country !== italy
}

/** Returns the codice fiscale by which the sender identifies itself. For most companies, it is the VAT number. */
export const transmitterOf = (seller: Party): string => {
  const { fiscal_code, vat } = taxIdentity(seller)
  return fiscal_code ?? vat?.number ?? ""
}

const vatElement = ({ vat }: TaxIdentity): XmlPart =>
  vat === null
    ? null
    : element("IdFiscaleIVA", textElement("IdPaese", vat.country), textElement("IdCodice", ascii(vat.number)))

const name = (party: Party): XmlPart => element("Anagrafica", latinElement("Denominazione", party.name))

export const address_characters_max = 60
/** The postal code of every address outside of Italy. */
const foreign_cap = "00000"

/** Returns the street. A second line and a foreign postal code are added if they fit into the field of FatturaPA. */
export const streetOf = ({ country, line1, line2, postal_code }: PartyAddress): string => {
  const [street = "", ...further] = [line1, line2].flatMap((line) => (line === null || isBlank(line) ? [] : [line]))
  const abroad = country === italy || postal_code === null ? [] : [postal_code]
  return [...further, ...abroad].reduce((joined, part) => {
    const longer = `${joined}, ${part}`
    return joined !== "" && fitsLatin(longer, address_characters_max) ? longer : joined
  }, street)
}

const province = ({ country, subdivision }: PartyAddress): string | null =>
  country === italy ? (/^(?:IT-)?([A-Z]{2})$/.exec(subdivision?.trim().toUpperCase() ?? "")?.[1] ?? null) : null

export const addressElement = (tag: string, address: PartyAddress): XmlPart =>
  element(
    tag,
    latinElement("Indirizzo", streetOf(address)),
    textElement("CAP", address.country === italy ? (address.postal_code?.trim() ?? null) : foreign_cap),
    latinElement("Comune", address.city),
    textElement("Provincia", province(address)),
    textElement("Nazione", address.country)
  )

const phone_characters_max = 12
const email_pattern = /^.+@.+\.+.+$/

/** Returns the telephone number without punctuation, or null if it does not fit into the field of FatturaPA. */
const phoneOf = (phone: string | null | undefined): string | null => {
  const digits = (phone ?? "").replace(/[^\d+]/g, "")
  return digits.length >= 5 && digits.length <= phone_characters_max ? digits : null
}

const emailOf = (email: string | null | undefined): string | null =>
  typeof email === "string" && email_pattern.test(email) && fitsAscii(email, 256) ? email : null

export const sellerElement = ({ seller }: EInvoice, regime: ItalianTaxRegime): XmlPart => {
  const identity = taxIdentity(seller)
  return element(
    "CedentePrestatore",
    element(
      "DatiAnagrafici",
      vatElement(identity),
      textElement("CodiceFiscale", identity.fiscal_code),
      name(seller),
      textElement("RegimeFiscale", regime)
    ),
    addressElement("Sede", seller.address),
    element(
      "Contatti",
      textElement("Telefono", phoneOf(seller.contact?.phone)),
      textElement("Email", emailOf(seller.contact?.email))
    )
  )
}

export const buyerElement = ({ buyer }: EInvoice): XmlPart => {
  const identity = taxIdentity(buyer)
  return element(
    "CessionarioCommittente",
    element("DatiAnagrafici", vatElement(identity), textElement("CodiceFiscale", identity.fiscal_code), name(buyer)),
    addressElement("Sede", buyer.address)
  )
}

/** The address to which the Sistema di Interscambio delivers. */
interface Destination {
  /** FPA12 goes to an office of the public administration, FPR12 to anybody else. */
  readonly format: "FPA12" | "FPR12"
  readonly code: string
  /** Address of certified mail, in place of a code. */
  readonly pec: string | null
}

/** Lengths of the codes of public offices and of all other recipients. */
export const code_lengths = { FPA12: 6, FPR12: 7 } as const

const abroad_code = "XXXXXXX"
export const san_marino = "SM"
/** The tax office of San Marino, which receives the documents to all buyers of its country. */
const san_marino_code = "2R4GTO8"
/**
 * Code for a buyer whose code is unknown. Without certified mail, the Sistema di Interscambio delivers to the address
 * that the buyer registered, or else to the buyer's account on its website.
 */
const unknown_code = "0000000"

export const destinationOf = ({ buyer }: EInvoice): Destination => {
  const { scheme, value } = buyer.electronic_address
  if (isAbroad(buyer)) {
    const code = buyer.address.country === san_marino ? san_marino_code : abroad_code
    return { format: "FPR12", code, pec: null }
  }
  if (scheme === office_scheme) return { format: "FPA12", code: value.toUpperCase(), pec: null }
  if (scheme === code_scheme) {
    return { format: value.length === code_lengths.FPA12 ? "FPA12" : "FPR12", code: value.toUpperCase(), pec: null }
  }
  return { format: "FPR12", code: unknown_code, pec: scheme === pec_scheme ? latin(value) : null }
}

/**
 * Schemes of the three kinds of electronic address: the code of a public office, the code of a provider, and certified
 * mail.
 */
const office_scheme = "0201"
const code_scheme = "IT:SDI"
const pec_scheme = "IT:PEC"
/** Schemes of tax numbers, under which a buyer may have registered an electronic address with the tax authority. */
const tax_schemes = ["0210", "0211"]

export const known_schemes = new Set([office_scheme, code_scheme, pec_scheme, ...tax_schemes])

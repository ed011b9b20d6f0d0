import { Option } from "effect"
import { checkIdentifier } from "../../customers/identifiers/NetworkIdentifier.ts"
import { compact } from "../../kernel/Text.ts"
import { union_structures } from "../../kernel/Union.ts"
import { element, textElement, type XmlPart } from "../../platform/documents/Xml.ts"
import type { EInvoice, Party } from "../invoice/EInvoice.ts"

const spain = "ES"

/** A Spanish tax number (NIF), or the identifier of a party abroad (IDOtro). */
type TaxIdentity = { readonly nif: string } | ForeignIdentity

export interface ForeignIdentity {
  /** Null for a VAT identifier of the EU, which begins with its country. */
  readonly country: string | null
  /** `02`: VAT identifier of the EU; `04`: official document of the country. */
  readonly type: "02" | "04"
  readonly id: string
}

/** False for an identifier that begins with a prefix of the EU but that cannot be in the EU's register. */
export const isWellFormed = ({ id, type }: ForeignIdentity): boolean =>
  type !== "02" || (union_structures.get(id.slice(0, 2))?.test(id.slice(2)) ?? false)

/** Territories that the AEAT knows only as parts of their states. */
const states: Readonly<Record<string, string>> = {
  AX: "FI",
  BL: "FR",
  EH: "MA",
  GF: "FR",
  GP: "FR",
  MF: "FR",
  MQ: "FR",
  RE: "FR",
  SJ: "NO"
}

/** Returns a Spanish tax number without punctuation and without the prefix of its country. */
export const nifOf = (number: string): string => compact(number).replace(/^ES/, "")

/** Returns the identity of a party from its numbers; null for a party without numbers, such as a consumer. */
export const taxIdentityOf = ({ address, tax_registration, vat_identifier }: Party): TaxIdentity | null => {
  const number = compact(vat_identifier ?? tax_registration ?? "")
  if (number === "") return null
  const prefix = vat_identifier === null ? null : number.slice(0, 2)
  if (prefix === spain || (prefix === null && address.country === spain)) return { nif: nifOf(number) }
  if (prefix !== null && union_structures.has(prefix)) return { country: null, type: "02", id: number }
  // A request may name Spain as the country of a customer without one, but a foreign number is not from Spain.
  const country = address.country === spain ? prefix : (address.country ?? prefix)
  return { country: country === null ? null : (states[country] ?? country), type: "04", id: number }
}

/** Returns the seller's NIF or, without one, an empty text, which the rules refuse. */
export const issuerOf = ({ seller }: Pick<EInvoice, "seller">): string => {
  const identity = taxIdentityOf(seller)
  return identity !== null && "nif" in identity ? identity.nif : ""
}

export const isNif = (nif: string): boolean =>
  /^[0-9A-Z]{9}$/.test(nif) && Option.isNone(checkIdentifier("9920", `${spain}${nif}`))

export const name_characters_max = 120

export const personName = (name: string): string => Array.from(name.trim()).slice(0, name_characters_max).join("")

export const identityElement = (identity: TaxIdentity): XmlPart =>
  "nif" in identity
    ? textElement("sf:NIF", identity.nif)
    : element(
        "sf:IDOtro",
        textElement("sf:CodigoPais", identity.country),
        textElement("sf:IDType", identity.type),
        textElement("sf:ID", identity.id)
      )

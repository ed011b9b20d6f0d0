import { Option } from "effect"
import { checkIdentifier } from "../../customers/identifiers/NetworkIdentifier.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import type { EInvoice, Party } from "../invoice/EInvoice.ts"
import { errors, type Finding, isBlank, warnings } from "../records/Finding.ts"
import {
  address_characters_max,
  code_lengths,
  destinationOf,
  isAbroad,
  known_schemes,
  streetOf,
  taxIdentity
} from "./FatturaParties.ts"
import { textsOf } from "./FatturaDocument.ts"
import { accountsForCig } from "./FatturaReferences.ts"
import { fitsAscii, fitsLatin } from "./FatturaText.ts"
import { summaryOf } from "./Natura.ts"

const name_characters_max = 80
const foreign_number_characters_max = 28

/** Checks the identity and the address of both parties, and the address to which the authority delivers. */
export const fatturaPartyRules = (invoice: EInvoice, customer_id: CustomerId): ReadonlyArray<Finding> => {
  const on_customer = ` on customer ${customer_id}`
  return [
    ...sellerRules(invoice),
    ...partyRules(invoice.seller, "seller", "/organization", ""),
    ...buyerRules(invoice, on_customer),
    ...partyRules(invoice.buyer, "buyer", "/customer", on_customer),
    ...errors([
      invoice.kind === "invoice" && isSameParty(invoice),
      "00471",
      "The buyer is the seller itself.",
      "/customer/tax_number",
      `Correct tax_number${on_customer}.`
    ]),
    ...destinationRules(invoice, on_customer),
    ...officeRules(invoice)
  ]
}

/** Compares the VAT numbers or, for a buyer without one, the codice fiscale, which may be the VAT number. */
const isSameParty = ({ buyer, seller }: EInvoice): boolean => {
  const [own, other] = [taxIdentity(seller), taxIdentity(buyer)]
  if (other.vat !== null) return other.vat.country === own.vat?.country && other.vat.number === own.vat.number
  return other.fiscal_code !== null && [own.fiscal_code, own.vat?.number].includes(other.fiscal_code)
}

const isValid = (scheme: string, value: string): boolean => Option.isNone(checkIdentifier(scheme, value))
const isPartitaIva = (number: string): boolean => isValid("0211", `IT${number}`)
const isCodiceFiscale = (code: string | null): boolean => code === null || isValid("0210", code)

const sellerRules = ({ seller }: EInvoice): ReadonlyArray<Finding> => {
  const { fiscal_code, vat } = taxIdentity(seller)
  return errors(
    [
      vat?.country !== "IT" || !isPartitaIva(vat.number),
      "00301",
      "An Italian seller needs its partita IVA.",
      "/organization/tax_number",
      "Set tax_number on the organization to its partita IVA, with the prefix IT."
    ],
    [
      !isCodiceFiscale(fiscal_code),
      "00302",
      `${fiscal_code} is not a valid codice fiscale.`,
      "/organization/national_tax_number",
      "Correct national_tax_number on the organization."
    ]
  )
}

const buyerRules = ({ buyer }: EInvoice, on_customer: string): ReadonlyArray<Finding> => {
  const { fiscal_code, vat } = taxIdentity(buyer)
  const fix = `Set tax_number${on_customer} to its partita IVA with the prefix IT, or to its codice fiscale.`
  return errors(
    [
      vat === null && fiscal_code === null,
      "00417",
      "An Italian buyer needs its partita IVA or its codice fiscale.",
      "/customer/tax_number",
      fix
    ],
    [
      vat?.country === "IT" && !isPartitaIva(vat.number),
      "00305",
      `IT${vat?.number} is not a valid partita IVA.`,
      "/customer/tax_number",
      fix
    ],
    [
      !isCodiceFiscale(fiscal_code),
      "00306",
      `${fiscal_code} is not a valid codice fiscale.`,
      "/customer/tax_number",
      fix
    ],
    [
      vat !== null && isAbroad(buyer) && !fitsAscii(vat.number, foreign_number_characters_max),
      "00200",
      `A tax number has at most ${foreign_number_characters_max} characters of ASCII.`,
      "/customer/tax_number",
      `Correct tax_number${on_customer}.`
    ]
  )
}

const isPlace = (text: string) => !isBlank(text) && fitsLatin(text, address_characters_max)

const partyRules = (party: Party, role: string, pointer: string, on: string): ReadonlyArray<Finding> => {
  const { address, name } = party
  return errors(
    [
      isBlank(name) || !fitsLatin(name, name_characters_max),
      "00200",
      `The name of the ${role} has 1 to ${name_characters_max} characters of Latin-1.`,
      `${pointer}/name`,
      `Correct name${on}.`
    ],
    [
      !isPlace(streetOf(address)),
      "00200",
      `The street of the ${role} has 1 to ${address_characters_max} characters of Latin-1.`,
      `${pointer}/address_line1`,
      `Set address_line1${on}.`
    ],
    [
      !isPlace(address.city ?? ""),
      "00200",
      `The town of the ${role} has 1 to ${address_characters_max} characters of Latin-1.`,
      `${pointer}/city`,
      `Set city${on}.`
    ],
    [
      address.country === "IT" && !/^\d{5}$/.test(address.postal_code?.trim() ?? ""),
      "00200",
      `The Italian postal code (CAP) of the ${role} has five digits.`,
      `${pointer}/postal_code`,
      `Set postal_code${on}.`
    ],
    [isBlank(address.country), "00200", `The ${role} needs a country.`, `${pointer}/country`, `Set country${on}.`]
  )
}

const destinationRules = (invoice: EInvoice, on_customer: string): ReadonlyArray<Finding> => {
  const { code, format, pec } = destinationOf(invoice)
  const scheme = invoice.buyer.electronic_address.scheme ?? ""
  const fix = `Correct einvoicing_identifier_value${on_customer}.`
  return [
    ...errors(
      [
        code.length !== code_lengths[format] || !/^[A-Z0-9]+$/.test(code),
        "00427",
        `A codice destinatario has ${code_lengths[format]} letters and digits.`,
        "/recipient_identifier_value",
        fix
      ],
      [
        pec !== null && !isValid("IT:PEC", pec),
        "00200",
        "The address of certified mail (PEC) is not valid.",
        "/recipient_identifier_value",
        fix
      ]
    ),
    ...warnings(
      [
        format === "FPA12",
        "00102",
        "A document to a public office is sent once it is signed; without a signing certificate of the connection, it " +
          "waits for the signed file.",
        "/recipient_identifier_scheme",
        "Submit the document, sign the file that its evidence names, and upload it."
      ],
      [
        !isAbroad(invoice.buyer) && !known_schemes.has(scheme),
        "00311",
        "The Sistema di Interscambio does not know this address, so it delivers the document to the buyer's account on its website.",
        "/recipient_identifier_scheme",
        `Set einvoicing_identifier_scheme${on_customer} to IT:SDI, IT:PEC or 0201.`
      ]
    )
  ]
}

/**
 * A public office may not pay a document without the tender code (DL 66/2014, art. 25). It often pays the VAT to the
 * state instead of the seller.
 */
const officeRules = (invoice: EInvoice): ReadonlyArray<Finding> => {
  const { contract_reference, kind, preceding_invoice, purchase_order } = invoice
  const references = [purchase_order, contract_reference].flatMap((text) => text ?? [])
  const isForOffice = destinationOf(invoice).format === "FPA12"
  const taxed = summaryOf(invoice).filter(({ natura }) => natura === null)
  const split = taxed.filter(({ isSplit }) => isSplit)
  return [
    ...errors(
      [
        // A credit note needs no tender code, because it refers to an invoice that contains the code.
        isForOffice && preceding_invoice === null && !accountsForCig(references, textsOf(invoice)),
        "IT-CIG",
        "A document to a public office names the code of its tender (CIG), or says why there is none.",
        `/${kind}/purchase_order`,
        'Write "CIG" and the code into purchase_order or contract_reference, or "Senza CIG: " and the reason into notes.'
      ],
      [
        split.length > 0 && split.length < taxed.length,
        "IT-SPLIT",
        "Split payment covers all taxed lines of a document.",
        `/${kind}/items`,
        "Invoice the lines with VAT separately."
      ]
    ),
    ...warnings([
      isForOffice && taxed.length > 0 && split.length === 0,
      "IT-SPLIT",
      "Most public offices pay the VAT to the state themselves (split payment).",
      `/${kind}/items`,
      "If this one does, give the lines no VAT and the exemption_code VATEX-IT-S-22, which names the rate."
    ])
  ]
}

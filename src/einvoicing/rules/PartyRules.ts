import { Option } from "effect"
import { checkIdentifier } from "../../customers/identifiers/NetworkIdentifier.ts"
import { isInvoiceScheme } from "../../customers/identifiers/PeppolSchemes.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import type { EInvoice, Identifier } from "../invoice/EInvoice.ts"
import { errors, type Finding, isBlank, warnings } from "../records/Finding.ts"

/** Checks the seller (BG-4), the buyer (BG-7) and the scheme of the payee's identifier (BT-60). */
export const partyRules = (
  { buyer, kind, payee, profile, seller, tax_breakdown }: EInvoice,
  customer_id: CustomerId
): ReadonlyArray<Finding> => {
  const on_customer = `on customer ${customer_id}`
  const identified = [seller.vat_identifier, seller.legal_registration, seller.tax_registration].some(
    (number) => number !== null
  )
  const isOutsideVat = tax_breakdown.some(({ category }) => category === "O")
  return [
    ...errors(
      [isBlank(seller.name), "BR-06", "The seller needs a name.", "/organization/name", "Name the organization."],
      [isBlank(buyer.name), "BR-07", "The buyer needs a name.", "/customer/name", `Set name ${on_customer}.`],
      [
        isBlank(seller.address.country),
        "BR-09",
        "The seller's address needs a country.",
        "/organization/country",
        "Set the organization's country."
      ],
      [
        isBlank(buyer.address.country),
        "BR-11",
        "The buyer's address needs a country.",
        "/customer/country",
        `Set country ${on_customer}.`
      ],
      [
        !identified,
        "BR-CO-26",
        isOutsideVat
          ? "The seller needs a registration number, because a document outside of VAT (O) does not state a VAT identifier."
          : "The seller needs a VAT identifier or a registration number.",
        "/organization/registration_number",
        isOutsideVat
          ? "Set registration_number on the organization."
          : "Set tax_number or registration_number on the organization."
      ],
      [
        !isRegister(payee?.identifier?.scheme ?? null),
        "BR-CL-10",
        `${payee?.identifier?.scheme} is not a scheme of the ISO 6523 code list.`,
        `/${kind}/payee/identifier_scheme`,
        "Use a code of that list, such as 0088 for a GLN, or leave the scheme out."
      ]
    ),
    ...warnings([
      buyer.tax_registration !== null,
      "BR-CO-09",
      "The customer's tax number is not a VAT identifier, so the invoice omits it.",
      "/customer/tax_number",
      `Put the prefix of its country before tax_number ${on_customer}.`
    ]),
    // Without Peppol, electronic addresses are optional, and invalid ones were omitted before this check.
    ...(profile.rules === "peppol"
      ? [...sellerAddress(seller.electronic_address), ...buyerAddress(buyer.electronic_address, on_customer)]
      : [])
  ]
}

/** Highest code of the ISO 6523 code list; the lowest is 0002. */
const register_last = 248
/** Codes between the lowest and the highest that were never assigned. */
const unused_registers = new Set([92, 103, 181, 182])

const isRegister = (scheme: string | null): boolean => {
  if (scheme === null) return true
  const number = Number(scheme)
  return /^0\d{3}$/.test(scheme) && number > 1 && number <= register_last && !unused_registers.has(number)
}

const sellerAddress = (address: Identifier): ReadonlyArray<Finding> => {
  if (isBlank(address.value)) {
    const message = "Seller electronic address is required."
    const fix = "Register the organization for e-invoicing."
    return errors([true, "PEPPOL-EN16931-R020", message, "/organization_id", fix])
  }
  const pointer = "/organization_id"
  return addressRules(address, "Seller", { scheme: pointer, value: pointer }, "Register another identifier.")
}

const buyerAddress = (address: Identifier, on_customer: string): ReadonlyArray<Finding> => {
  const pointers = { scheme: "/recipient_identifier_scheme", value: "/recipient_identifier_value" }
  if (isBlank(address.value)) {
    const message = "Buyer electronic address is required."
    const fix = `Set einvoicing_identifier_value ${on_customer}.`
    return errors([true, "PEPPOL-EN16931-R010", message, pointers.value, fix])
  }
  if (isBlank(address.scheme)) {
    const message = "Buyer electronic address needs a scheme."
    const fix = `Set einvoicing_identifier_scheme ${on_customer}.`
    return errors([true, "BR-63", message, pointers.scheme, fix])
  }
  return addressRules(address, "Buyer", pointers, `Correct the identifier ${on_customer}.`)
}

/** Maps a scheme to Peppol's rule about its identifiers. Invalid identifiers of other schemes are reported as CL008. */
const scheme_rules: Readonly<Record<string, string>> = {
  "0007": "PEPPOL-COMMON-R049",
  "0088": "PEPPOL-COMMON-R040",
  "0184": "PEPPOL-COMMON-R042",
  "0192": "PEPPOL-COMMON-R041",
  "0201": "PEPPOL-COMMON-R044",
  "0208": "PEPPOL-COMMON-R043",
  "0210": "PEPPOL-COMMON-R045",
  "0211": "PEPPOL-COMMON-R047"
}

const removed_fix = "Use an identifier of a scheme on Peppol's current code list, such as 0216 for Finland."

const addressRules = (
  { scheme, value }: Identifier,
  party: string,
  pointer: { readonly scheme: string; readonly value: string },
  fix: string
): ReadonlyArray<Finding> => {
  const code = scheme ?? ""
  const known = isInvoiceScheme(code)
  const problem = checkIdentifier(code, value)
  return errors(
    [
      !known,
      "PEPPOL-EN16931-CL008",
      `${party} electronic address has scheme ${code}, which is not on Peppol's code list.`,
      pointer.scheme,
      `${fix} ${removed_fix}`
    ],
    [
      known && Option.isSome(problem),
      scheme_rules[code] ?? "PEPPOL-EN16931-CL008",
      `${party} electronic address ${Option.getOrElse(problem, () => "")}`,
      pointer.value,
      fix
    ]
  )
}

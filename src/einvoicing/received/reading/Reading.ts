import { Schema } from "effect"
import { Day, Timestamp } from "../../../kernel/Calendar.ts"
import { CurrencyCode } from "../../../kernel/Currency.ts"
import { described } from "../../../kernel/Described.ts"
import { Amount, Decimal } from "../../../kernel/Money.ts"
import { DocumentType } from "../../providers/Network.ts"

/** Maximum length of a text that is kept from a document; the rest is cut off. */
export const text_characters_max = 255
/** A document with more tax rates has a problem. */
export const tax_rates_max = 100

const Optional = Schema.NullOr(Schema.String)

const Supplier = Schema.Struct({
  name: described(Optional, "Name of the supplier; null if the document does not state it."),
  tax_number: described(Optional, "VAT or tax number of the supplier; null if the document does not state it."),
  country: described(
    Optional,
    "ISO 3166-1 code of the country of the supplier; null if the document does not state it."
  ),
  iban: described(Optional, "IBAN for the payment to the supplier; null if the document does not state it."),
  identifier_scheme: described(
    Optional,
    "Scheme of the network identifier of the supplier; null if the document does not state it.",
    "0208"
  ),
  identifier_value: described(
    Optional,
    "Network identifier of the supplier; null if the document does not state it.",
    "0202239951"
  )
})

export const FileSignature = Schema.Struct({
  status: described(
    Schema.Literals(["valid", "invalid", "unchecked"]),
    "`valid`: the signature matches the content; `invalid`: the content or the signature was changed; `unchecked`: the form of the signature is not supported."
  ),
  signer: described(Optional, "Name in the certificate of the signer; null if the signature holds no certificate."),
  certificate_valid_until: described(
    Schema.NullOr(Timestamp),
    "Time at which the certificate of the signer expires; null if the signature holds no certificate."
  ),
  trust: described(
    Schema.Literals(["trusted", "untrusted", "unchecked"]),
    "`trusted`, `untrusted`: the result of the check against the configured trust list; `unchecked`: there is no such list."
  ),
  note: described(Optional, "What a person should know about the signature; null for a valid one of a trusted signer.")
})
export type FileSignature = typeof FileSignature.Type

/** The content of the document; the fields of a document that cannot be read are null. */
export const Reading = Schema.Struct({
  document_type: described(Schema.NullOr(DocumentType), "Type of the document; null if it cannot be read."),
  is_self_billed: described(
    Schema.Boolean,
    "True if the buyer issued the document in the name of the seller (self-billing), as your customer does for a sale of yours. Such a document becomes no expense, and cannot be answered."
  ),
  syntax: described(
    Schema.NullOr(Schema.Literals(["ubl", "cii", "fatturapa"])),
    "XML syntax of the document; null if it cannot be read."
  ),
  number: described(Optional, "Number that the supplier gave to the document; null if it cannot be read."),
  issue_date: described(Schema.NullOr(Day), "Day on which the document was issued; null if it cannot be read."),
  due_date: described(Schema.NullOr(Day), "Last day to pay; null if the document does not state it."),
  currency: described(Schema.NullOr(CurrencyCode), "Currency of the amounts; null if it cannot be read."),
  total: described(
    Schema.NullOr(Amount),
    "Amount including taxes and the rounding of the amount to pay, in the currency of the document, with the sign that it states: positive for a credit note, too; negative for an invoice that corrects another one. Null if it cannot be read."
  ),
  tax_total: described(
    Schema.NullOr(Amount),
    "Total of the taxes, in the currency of the document; null if it cannot be read."
  ),
  tax_rates: described(
    Schema.Array(
      Schema.Struct({
        rate: described(Decimal, "Rate in percent."),
        taxable_amount: described(Amount, "Amount without this tax, in the currency of the document."),
        tax_amount: described(Amount, "Tax of this rate, in the currency of the document.")
      })
    ),
    "Taxes by rate, as the document states them. Empty, with a `problem`, if the document states more than 100 rates."
  ),
  description: described(Optional, "Names of the lines; null if they cannot be read."),
  payment_method: described(Optional, "Means of payment that the document names; null if it names none."),
  supplier: described(Supplier, "The seller, as the document names it."),
  signature: described(
    Schema.NullOr(FileSignature),
    "Signature in the file (CAdES, or XAdES in a FatturaPA); null for a file without one."
  ),
  problem: described(Optional, "Why the document cannot become an expense; null if it can.")
})
export type Reading = typeof Reading.Type

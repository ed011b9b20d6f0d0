import { Array, BigDecimal, Effect, Option, Record, Schema } from "effect"
import { electronicDocument, localDay, self_billed } from "../../../expenses/receipts/extraction/EmbeddedInvoice.ts"
import {
  fatturaBody,
  fatturaDocuments,
  fatturaKind,
  fatturaPayments,
  fatturaSupplier
} from "../../../expenses/receipts/extraction/FatturaFacts.ts"
import { all, at, textAt, type XmlTree } from "../../../platform/documents/XmlTree.ts"
import { Day, isDay } from "../../../kernel/Calendar.ts"
import { zero } from "../../../kernel/Money.ts"
import { cut } from "../../../kernel/Text.ts"
import { contentTypeOf, isPdf, openFile } from "./ArrivedFile.ts"
import { type Judging, judged } from "./FileSignatures.ts"
import { Reading, tax_rates_max, text_characters_max } from "./Reading.ts"
import type { ReadArrival } from "./ReadArrival.ts"
import { buyerName, documentReference, receivedParties } from "./PartiesReader.ts"

const nobody: Reading["supplier"] = {
  name: null,
  tax_number: null,
  country: null,
  iban: null,
  identifier_scheme: null,
  identifier_value: null
}

/** Returns the content of a document that is stored, but cannot become an expense. */
const unreadable = (problem: string): Reading => ({
  document_type: null,
  is_self_billed: false,
  syntax: null,
  number: null,
  issue_date: null,
  due_date: null,
  currency: null,
  total: null,
  tax_total: null,
  tax_rates: [],
  description: null,
  payment_method: null,
  supplier: nobody,
  signature: null,
  problem
})

/** Returns the content of a file whose reading failed. */
export const unreadableFile = (bytes: Uint8Array, problem: string): ReadArrival => ({
  content_type: contentTypeOf(bytes),
  readings: [unreadable(problem)],
  counterparty_name: null,
  parties: null,
  document_reference: null
})

/**
 * Reads UBL, CII or FatturaPA from a file, which may be a PDF or signed. Only a FatturaPA may hold several documents. A
 * file that holds no readable document has one reading, which states the problem.
 */
export const readReceived = Effect.fn("ReceivedReader.read")(function* (bytes: Uint8Array, judging: Judging) {
  const { checks, roots } = yield* openFile(bytes)
  const signature = judged(checks, judging)
  const problem = signature?.status === "invalid" ? signature.note : null
  const readings = readingsIn(isPdf(bytes), roots)
  const [{ is_self_billed, supplier }] = readings
  const read: ReadArrival = {
    content_type: contentTypeOf(bytes),
    readings: Array.map(readings, (reading) => ({ ...reading, signature, problem: problem ?? reading.problem })),
    counterparty_name: is_self_billed ? (roots.flatMap((root) => buyerName(root) ?? [])[0] ?? null) : supplier.name,
    parties: roots.flatMap((root) => Option.toArray(receivedParties(root)))[0] ?? null,
    document_reference: roots.flatMap((root) => Option.toArray(documentReference(root)))[0] ?? null
  }
  return read
})

const readingsIn = (inPdf: boolean, roots: ReadonlyArray<XmlTree>): Array.NonEmptyReadonlyArray<Reading> => {
  const documents = roots.flatMap((root) => fatturaDocuments(root))
  const [first = unreadable(problemOf(inPdf, undefined)), ...others] = documents.map((document) =>
    Option.getOrElse(readingOf(document), () => unreadable(problemOf(inPdf, document)))
  )
  // A PDF may contain other XML in addition to its invoice.
  return inPdf ? [[first, ...others].find(({ syntax }) => syntax !== null) ?? first] : [first, ...others]
}

const problemOf = (inPdf: boolean, root: XmlTree | undefined): string => {
  if (root === undefined)
    return inPdf
      ? "The PDF holds no XML."
      : "The document is not well-formed XML, or is longer than 5 MB without its files."
  if (root.name === "FatturaElettronica") return fatturaProblem(root)
  const isInvoice = ["Invoice", "CreditNote", "CrossIndustryInvoice", "CrossIndustryDocument"].includes(root.name)
  if (!isInvoice) return `The document is not an invoice or a credit note, but ${cut(root.name, text_characters_max)}.`
  return incomplete
}

const unread_amount = "An amount of the document is missing or cannot be read exactly."

const too_many_rates = `The document states more than ${tax_rates_max} tax rates.`

const incomplete = "The document lacks its amount, its date or its currency, or requests no payment."

const fatturaProblem = (root: XmlTree): string => {
  const body = fatturaBody(root)
  if (body === undefined) return "The file holds no document."
  const type = textAt(body, "DatiGenerali", "DatiGeneraliDocumento", "TipoDocumento") ?? ""
  return fatturaKind(root) !== undefined
    ? incomplete
    : `A document of type ${cut(type, text_characters_max)} is not an invoice or a credit note of a supplier.`
}

const decodeRates = Schema.decodeUnknownSync(Reading.fields.tax_rates)
const decodeAmount = Schema.decodeUnknownSync(Reading.fields.total)
const decodeFields = Schema.decodeUnknownOption(
  Schema.Struct({ expense_date: Day, currency: Reading.fields.currency, amount: Schema.String })
)

const readingOf = (root: XmlTree): Option.Option<Reading> =>
  Option.flatMap(electronicDocument(root), ({ extras, fields, is_self_billed, kind, states_unread_amount }) =>
    Option.map(decodeFields(fields), ({ amount, currency, expense_date }) => {
      const syntax = syntaxOf(root)
      const further = readers[syntax](root)
      const due_date = localDay(further.due_date)
      const rates = fields.tax_rates ?? []
      const has_too_many_rates = rates.length > tax_rates_max
      const reading = {
        document_type: kind,
        is_self_billed,
        syntax,
        number: fields.reference ?? null,
        issue_date: expense_date,
        due_date: isDay(due_date) ? due_date : null,
        currency,
        total: decodeAmount(amount),
        tax_total: decodeAmount(fields.tax_amount ?? null),
        tax_rates: decodeRates(has_too_many_rates ? [] : rates),
        description: descriptionOf(further.names),
        payment_method: fields.payment_method ?? null,
        supplier: { ...Record.map(further.supplier, shortened), name: fields.vendor ?? null },
        signature: null
      }
      const unread = has_too_many_rates ? too_many_rates : states_unread_amount ? unread_amount : null
      return { ...reading, problem: is_self_billed ? self_billed : (unread ?? mistakeOf(reading, extras)) }
    })
  )

/**
 * Returns why a document cannot become an expense, for example because its sums contradict each other (BR-CO-14,
 * BR-CO-15).
 */
const mistakeOf = (
  { document_type, number, supplier, syntax, tax_rates, tax_total, total }: Omit<Reading, "problem">,
  extras: ReadonlyArray<BigDecimal.BigDecimal>
): string | null => {
  if (number === null) return "The document has no number."
  if (syntax === "fatturapa" && supplier.name === null) return "The document names no supplier."
  if (document_type === "credit_note" && total !== null && BigDecimal.isNegative(total)) {
    return "The credit note has a negative total, so it is not clear who owes whom."
  }
  if (!isPartOf(total, tax_total)) return "The total tax is not between zero and the total."
  if (tax_rates.length === 0) return null
  const tax = BigDecimal.sumAll(tax_rates.map(({ tax_amount }) => tax_amount))
  const taxable = BigDecimal.sumAll(tax_rates.map(({ taxable_amount }) => taxable_amount))
  const isSum = extras.some((extra) => BigDecimal.equals(BigDecimal.sumAll([tax, taxable, extra]), total ?? zero))
  if (tax_total !== null && !BigDecimal.equals(tax, tax_total)) return "The taxes do not add up to the total tax."
  return isSum ? null : "The taxable amounts and the taxes do not add up to the total."
}

/** False for a tax that no expense of the total can have. */
const isPartOf = (total: BigDecimal.BigDecimal | null, tax: BigDecimal.BigDecimal | null): boolean =>
  total === null ||
  tax === null ||
  BigDecimal.between(tax, { minimum: BigDecimal.min(zero, total), maximum: BigDecimal.max(zero, total) })

const description_characters_max = 500

const descriptionOf = (names: ReadonlyArray<string | undefined>): string | null => {
  const known = [...new Set(names.flatMap((name) => (name === undefined ? [] : [name])))]
  return known.length === 0 ? null : cut(known.join("; "), description_characters_max)
}

/** Suppliers may write texts of any length, and identifiers as attributes of any length. */
const shortened = (text: string | null) => (text === null ? null : cut(text, text_characters_max))

interface Parts {
  readonly due_date: string | undefined
  readonly names: ReadonlyArray<string | undefined>
  readonly supplier: Omit<Reading["supplier"], "name">
}

const syntaxOf = ({ name }: XmlTree): NonNullable<Reading["syntax"]> => {
  if (name === "FatturaElettronica") return "fatturapa"
  return name === "Invoice" || name === "CreditNote" ? "ubl" : "cii"
}

const ublParts = (root: XmlTree): Parts => {
  const party = at(root, "AccountingSupplierParty", "Party")
  const endpoint = at(party, "EndpointID")
  const means = all(root, "PaymentMeans")
  const lines = [...all(root, "InvoiceLine"), ...all(root, "CreditNoteLine")]
  return {
    due_date: textAt(root, "DueDate") ?? textAt(means[0], "PaymentDueDate"),
    names: lines.map((line) => textAt(line, "Item", "Name")),
    supplier: {
      tax_number:
        all(party, "PartyTaxScheme")
          .filter((scheme) => textAt(scheme, "TaxScheme", "ID") === "VAT")
          .map((scheme) => textAt(scheme, "CompanyID"))[0] ?? null,
      country: textAt(party, "PostalAddress", "Country", "IdentificationCode") ?? null,
      iban: means.map((one) => textAt(one, "PayeeFinancialAccount", "ID")).find((id) => id !== undefined) ?? null,
      identifier_scheme: endpoint?.attributes["schemeID"] ?? null,
      identifier_value: endpoint?.text.trim() ?? null
    }
  }
}

const ciiParts = (root: XmlTree): Parts => {
  const trade = at(root, "SupplyChainTradeTransaction") ?? at(root, "SpecifiedSupplyChainTradeTransaction")
  const agreement = at(trade, "ApplicableHeaderTradeAgreement") ?? at(trade, "ApplicableSupplyChainTradeAgreement")
  const settlement = at(trade, "ApplicableHeaderTradeSettlement") ?? at(trade, "ApplicableSupplyChainTradeSettlement")
  const party = at(agreement, "SellerTradeParty")
  const address = at(party, "URIUniversalCommunication", "URIID")
  const due = textAt(settlement, "SpecifiedTradePaymentTerms", "DueDateDateTime", "DateTimeString")
  const means = all(settlement, "SpecifiedTradeSettlementPaymentMeans")
  return {
    due_date: due?.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3"),
    names: all(trade, "IncludedSupplyChainTradeLineItem").map((line) => textAt(line, "SpecifiedTradeProduct", "Name")),
    supplier: {
      tax_number:
        all(party, "SpecifiedTaxRegistration")
          .flatMap((registration) => all(registration, "ID"))
          .find(({ attributes }) => attributes["schemeID"] === "VA")
          ?.text.trim() ?? null,
      country: textAt(party, "PostalTradeAddress", "CountryID") ?? null,
      iban: means.map((one) => textAt(one, "PayeePartyCreditorFinancialAccount", "IBANID")).find(Boolean) ?? null,
      identifier_scheme: address?.attributes["schemeID"] ?? null,
      identifier_value: address?.text.trim() ?? null
    }
  }
}

/** EAS code of an Italian VAT number. */
const italian_vat = "0211"

const fatturaParts = (root: XmlTree): Parts => {
  const seller = fatturaSupplier(root)
  const identity = at(seller, "DatiAnagrafici")
  const country = textAt(identity, "IdFiscaleIVA", "IdPaese")
  const number = textAt(identity, "IdFiscaleIVA", "IdCodice")
  const vat = country === undefined || number === undefined ? null : `${country}${number}`
  const payments = fatturaPayments(root)
  const days = payments.flatMap((payment) => textAt(payment, "DataScadenzaPagamento") ?? [])
  const isItalian = country === "IT" && vat !== null
  return {
    // The document is paid in full with its last instalment.
    due_date: days.toSorted().at(-1),
    names: all(at(fatturaBody(root), "DatiBeniServizi"), "DettaglioLinee").map((line) => textAt(line, "Descrizione")),
    supplier: {
      tax_number: vat ?? textAt(identity, "CodiceFiscale") ?? null,
      country: textAt(seller, "Sede", "Nazione") ?? country ?? null,
      iban: payments.map((payment) => textAt(payment, "IBAN")).find(Boolean) ?? null,
      identifier_scheme: isItalian ? italian_vat : null,
      identifier_value: isItalian ? vat : null
    }
  }
}

const readers = { ubl: ublParts, cii: ciiParts, fatturapa: fatturaParts }

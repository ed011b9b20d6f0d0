import { Struct } from "effect"
import type { creditNoteDetails, invoiceDetails } from "../details/Details.ts"
import { addressLines, isText } from "./DocumentFormat.ts"
import type { LabeledText, Printing } from "./DocumentPdf.ts"
import { labelsIn } from "./labels/Labels.ts"

/** The optional fields of all kinds of documents. A document leaves out the fields that its kind does not have. */
export type PrintedDetails = Partial<
  ReturnType<typeof invoiceDetails.answer> & Pick<ReturnType<typeof creditNoteDetails.answer>, "corrective_cause">
>

type Row = readonly [label: string, value: string | null]

/** Fields that are printed elsewhere on a document, or not at all. */
type NoFact = "delivery_address" | "corrective_cause" | "payee" | "payment_means" | "embedded_attachment_ids"

/** Rows next to the recipient: the delivery date or period, the kind of transaction, and the customer's references. */
export const detailFacts = (details: PrintedDetails, { format, sheet }: Printing): ReadonlyArray<Row> => {
  const labels = labelsIn[sheet.language].details
  const { delivery_date, delivery_period, operation_nature } = details
  const facts: Readonly<Record<Exclude<keyof PrintedDetails, NoFact>, string | null | undefined>> = {
    delivery_date: delivery_date && format.day(delivery_date),
    delivery_period: delivery_period && format.period(delivery_period.start, delivery_period.end),
    operation_nature: operation_nature && labels.natures[operation_nature],
    purchase_order: details.purchase_order,
    buyer_reference: details.buyer_reference,
    contract_reference: details.contract_reference,
    project_reference: details.project_reference
  }
  return Struct.keys(facts).map((name) => [labels[name], facts[name] ?? null])
}

/** Texts below the totals: the delivery address, and the cause of correction that Spain requires. */
export const detailSections = (
  { corrective_cause, delivery_address }: PrintedDetails,
  customer_country: string | null,
  { sheet: { language } }: Printing
): ReadonlyArray<Row> => {
  const labels = labelsIn[language].details
  const place = delivery_address
    ? [
        delivery_address.name,
        ...addressLines(delivery_address, delivery_address.country !== customer_country, language)
      ]
    : []
  const cause = corrective_cause ? [corrective_cause.code, corrective_cause.text] : []
  return [
    [labels.delivery_address, place.filter(isText).join(", ")],
    [labels.corrective_cause, cause.filter(isText).join(" – ")]
  ]
}

/** Rows about the means of payment; empty when the document states none, which means a bank transfer. */
export const paymentMeansRows = (
  { payment_means: means }: PrintedDetails,
  { sheet: { language } }: Printing
): ReadonlyArray<Row> => {
  if (!means) return []
  const labels = labelsIn[language].details
  return [
    [labels.payment_method, labels.methods[means.method]],
    ["IBAN", means.iban ? inGroups(means.iban) : null],
    ["BIC", means.bic ?? null],
    [labels.methods.card, means.card_last_digits === null ? null : `•••• ${means.card_last_digits}`],
    [labels.card_holder, means.card_holder],
    [labels.mandate_reference, means.mandate_reference],
    [labels.creditor_identifier, means.creditor_identifier],
    [labels.debited_iban, means.debited_iban === null ? null : inGroups(means.debited_iban)]
  ]
}

export const payeeText = ({ payee }: PrintedDetails): string | null => {
  if (!payee) return null
  const numbers = [payee.identifier, payee.registration_number].filter(isText)
  return numbers.length === 0 ? payee.name : `${payee.name} (${numbers.join(", ")})`
}

export const inGroups = (iban: string): string => iban.replaceAll(/\s/g, "").replaceAll(/(.{4})(?=.)/g, "$1 ")

export const asLines = (rows: ReadonlyArray<LabeledText>): string =>
  rows.map(({ label, value }) => `${label}: ${value}`).join("\n")

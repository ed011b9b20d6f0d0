import { BigDecimal, type DateTime } from "effect"
import type { Day } from "../../../kernel/Calendar.ts"
import { formatAmount } from "../../../kernel/Money.ts"
import { element, textElement, xmlDocument, type XmlPart } from "../../../platform/documents/Xml.ts"
import { stampOf } from "../lifecycle/LifecycleMessage.ts"
import type {
  DailyPayments,
  DailySales,
  ReportContent,
  ReportedInvoice,
  ReportedParty,
  ReportType
} from "./ReportContent.ts"
import { siren_scheme } from "../../countries/FrenchCodes.ts"

interface Declarant {
  readonly siren: string
  readonly name: string
}

interface Heading {
  readonly id: string
  readonly at: DateTime.Utc
  readonly type: ReportType
  /** The four characters that identify the platform that forwards the report. */
  readonly platform: string
  readonly declarant: Declarant
}

interface Days {
  readonly start: Day
  readonly end: Day
}

const decimals = 2
const reporting_profile = "urn.cpro.gouv.fr:1p0:ereporting"
/** The tax is due when the document is issued (UNTDID 2475). */
const due_on_invoice = "5"

/** Writes a report of flow 10 (AIFE, external specifications 3.1). */
export const reportDocument = (heading: Heading, period: Days, content: ReportContent): string =>
  xmlDocument("Report", {}, [headingOf(heading, content), bodyOf(period, content)])

/** Writes a report without its identifier, time and type. A change of the rest requires a rectifying report. */
export const comparableReport = (heading: Omit<Heading, "id" | "at" | "type">, period: Days, content: ReportContent) =>
  [...partiesOf(heading, content), bodyOf(period, content)].join("")

/** True if a written report states this content and this SIREN. It may state another platform and another name. */
export const states = (report: string, { siren }: Pick<Declarant, "siren">, period: Days, content: ReportContent) =>
  [issuerId(siren), bodyOf(period, content)].every((part) => part !== null && report.includes(part))

const headingOf = ({ at, id, type, ...parties }: Heading, content: ReportContent): XmlPart =>
  element(
    "ReportDocument",
    textElement("Id", id),
    element("IssueDateTime", textElement("DateTimeString", stampOf(at))),
    textElement("TypeCode", type),
    ...partiesOf(parties, content)
  )

const partiesOf = (
  { declarant, platform }: Pick<Heading, "declarant" | "platform">,
  { kind }: ReportContent
): ReadonlyArray<XmlPart> => [
  element(
    "Sender",
    textElement("Id", platform, { schemeId: "0238" }),
    textElement("Name", `PA ${platform}`),
    textElement("RoleCode", "WK")
  ),
  element(
    "Issuer",
    issuerId(declarant.siren),
    textElement("Name", declarant.name),
    textElement("RoleCode", kind === "purchases" ? "BY" : "SE")
  )
]

const issuerId = (siren: string) => textElement("Id", siren, { schemeId: siren_scheme })

const bodyOf = ({ end, start }: Days, content: ReportContent): XmlPart => {
  const period = element("ReportPeriod", day("StartDate", start), day("EndDate", end))
  return content.kind !== "payments"
    ? element("TransactionsReport", period, ...content.invoices.map(invoicePart), ...content.daily.map(salesPart))
    : element(
        "PaymentsReport",
        period,
        ...content.invoices.map(({ issue_date, number, ...payment }) =>
          element("Invoice", textElement("InvoiceID", number), day("IssueDate", issue_date), paymentPart(payment))
        ),
        ...content.daily.map((payment) => element("Transactions", paymentPart(payment)))
      )
}

const invoicePart = (invoice: ReportedInvoice): XmlPart =>
  element(
    "Invoice",
    textElement("ID", invoice.number),
    day("IssueDate", invoice.issue_date),
    textElement("TypeCode", invoice.type_code),
    textElement("CurrencyCode", invoice.currency),
    // A due date is optional, and its year may not be after 2099 (rule G1.36).
    day("DueDate", invoice.due_date?.startsWith("20") === true ? invoice.due_date : null),
    textElement("TaxDueDateTypeCode", invoice.isDueOnInvoice ? due_on_invoice : null),
    element("BusinessProcess", textElement("ID", invoice.process), textElement("TypeID", reporting_profile)),
    invoice.original === null
      ? null
      : element(
          "ReferencedDocument",
          textElement("ID", invoice.original.number),
          day("IssueDate", invoice.original.issue_date)
        ),
    partyPart("Seller", invoice.seller),
    partyPart("Buyer", invoice.buyer),
    element(
      "MonetaryTotal",
      amount("TaxExclusiveAmount", BigDecimal.sumAll(invoice.taxes.map(({ taxable_amount }) => taxable_amount))),
      textElement("TaxAmount", formatAmount(invoice.tax_in_euros, decimals), { CurrencyCode: "EUR" })
    ),
    ...invoice.taxes.map(({ category, exemption, rate, tax_amount, taxable_amount }) =>
      element(
        "TaxSubTotal",
        amount("TaxableAmount", taxable_amount),
        amount("TaxAmount", tax_amount),
        element(
          "TaxCategory",
          textElement("Code", category),
          textElement("Percent", BigDecimal.format(rate)),
          textElement("TaxExemptionReason", exemption?.reason ?? null),
          textElement("TaxExemptionReasonCode", exemption?.code ?? null)
        )
      )
    )
  )

const partyPart = (role: "Seller" | "Buyer", { country, identifier, vat_identifier }: ReportedParty): XmlPart =>
  element(
    role,
    textElement("CompanyId", identifier.value, { schemeId: identifier.scheme }),
    textElement("TaxRegistrationId", vat_identifier, { qualifyingId: "VAT" }),
    element("PostalAddress", textElement("CountryId", country))
  )

const salesPart = ({ category, date, documents, isDueOnInvoice, taxes }: DailySales): XmlPart =>
  element(
    "Transactions",
    day("Date", date),
    textElement("TransactionsCurrency", "EUR"),
    textElement("TaxDueDateTypeCode", isDueOnInvoice ? due_on_invoice : null),
    textElement("CategoryCode", category),
    amount("TaxExclusiveAmount", BigDecimal.sumAll(taxes.map(({ taxable_amount }) => taxable_amount))),
    amount("TaxTotal", BigDecimal.sumAll(taxes.map(({ tax_amount }) => tax_amount))),
    textElement("TransactionsCount", String(documents)),
    ...taxes.map(({ rate, tax_amount, taxable_amount }) =>
      element(
        "TaxSubtotal",
        textElement("TaxPercent", BigDecimal.format(rate)),
        amount("TaxableAmount", taxable_amount),
        amount("TaxTotal", tax_amount)
      )
    )
  )

const paymentPart = ({ amounts, date }: DailyPayments): XmlPart =>
  element(
    "Payment",
    day("Date", date),
    ...amounts.map(({ amount: received, rate }) =>
      element(
        "SubTotals",
        textElement("TaxPercent", BigDecimal.format(rate)),
        textElement("CurrencyCode", "EUR"),
        amount("Amount", received)
      )
    )
  )

const amount = (name: string, of: BigDecimal.BigDecimal): XmlPart => textElement(name, formatAmount(of, decimals))

const day = (name: string, of: Day | null): XmlPart => textElement(name, of === null ? null : of.replaceAll("-", ""))

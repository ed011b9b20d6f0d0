import type { CustomerId } from "../../kernel/Ids.ts"
import { hasValidDiscountTerms } from "../invoice/CashDiscount.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import { addressed, errors, type Finding, isBlank, payment_fix, sellerAddressed } from "../records/Finding.ts"

/** XRechnung's rules in Peppol BIS Billing 3, which apply if both parties are German. */
export const germanRules = (invoice: EInvoice, customer_id: CustomerId): ReadonlyArray<Finding> => {
  const { buyer, delivery_address, payment_terms, seller } = invoice
  const contact = seller.contact
  return [
    ...errors(
      [
        invoice.payment === null,
        "DE-R-001",
        "The invoice needs payment instructions.",
        "/organization/settings/payment_iban",
        payment_fix
      ],
      [
        isBlank(contact?.phone ?? null),
        "DE-R-006",
        "The seller needs a telephone number.",
        "/organization/contact_phone",
        "Set contact_phone on the organization."
      ],
      [
        isBlank(contact?.email ?? null),
        "DE-R-007",
        "The seller needs an email address.",
        "/organization/contact_email",
        "Set contact_email on the organization."
      ],
      [
        !hasValidDiscountTerms(payment_terms ?? ""),
        "DE-R-018",
        "A line of the payment terms begins with #, but is not a cash discount in the form that Germany requires.",
        "/invoice/terms",
        "Write it as #SKONTO#TAGE=14#PROZENT=2.00#, alone on its line, or begin the line with something else."
      ]
    ),
    ...germanDebit(invoice),
    ...germanFiles(invoice),
    ...sellerAddressed(invoice, { city: "DE-R-003", postal_code: "DE-R-004" }),
    ...addressed(
      buyer.address,
      { city: "DE-R-008", postal_code: "DE-R-009" },
      "/customer",
      `The address of customer ${customer_id}`
    ),
    ...(delivery_address === null
      ? []
      : addressed(
          delivery_address,
          { city: "DE-R-010", postal_code: "DE-R-011" },
          `/${invoice.kind}/delivery_address`,
          "The delivery address"
        ))
  ]
}

const germanDebit = ({ kind, payment }: EInvoice): ReadonlyArray<Finding> => {
  const debit = payment?.debit ?? null
  return errors(
    [
      debit !== null && isBlank(debit.creditor),
      "DE-R-030",
      "A direct debit needs the creditor identifier of the seller.",
      `/${kind}/payment_means/creditor_identifier`,
      "Set creditor_identifier in payment_means."
    ],
    [
      debit !== null && isBlank(debit.iban),
      "DE-R-031",
      "A direct debit needs the account that is debited.",
      `/${kind}/payment_means/debited_iban`,
      "Set debited_iban in payment_means."
    ]
  )
}

const germanFiles = ({ attachments, kind }: EInvoice): ReadonlyArray<Finding> =>
  errors([
    new Set(attachments.map(({ name }) => name)).size < attachments.length,
    "DE-R-022",
    "Two files in the document have the same name.",
    `/${kind}/embedded_attachment_ids`,
    "Upload one of them under another name."
  ])

import type { EventName } from "../../kernel/EventName.ts"
import { Timestamp } from "../../kernel/Calendar.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import type { CatalogItem, Event } from "./Event.ts"
import {
  attachment,
  checkpoint,
  creditNote,
  draftCreditNote,
  draftInvoice,
  invoice,
  payment,
  quote,
  recordsExport,
  type Example
} from "./examples/EventExamples.ts"
import { einvoice, received } from "./examples/EinvoiceExamples.ts"
import { bankRule, bankStatement, bankTransaction, unmatchedTransaction } from "./examples/BankExamples.ts"
import { contact, customer } from "./examples/CustomerExamples.ts"
import { expense, receipt } from "./examples/ExpenseExamples.ts"
import { member, organization, webhook } from "./examples/OrganizationExamples.ts"

const stable = (description: string, object: string, attributes: Example, status_before?: string) => ({
  description,
  stability: "stable" as const,
  data: dataOf(object, attributes, status_before)
})

const extended = (description: string, object: string, attributes: Example, status_before?: string) => ({
  description,
  stability: "extended" as const,
  data: dataOf(object, attributes, status_before)
})

/** An event about messages that the mail server finally refused after the request that sent them was answered. */
const undelivered = (record: string, object: string, attributes: Example) => {
  const { data, ...rest } = extended(
    `The mail server refuses ${record} for good, after the request that sent it was answered or a crash interrupted it.`,
    object,
    attributes
  )
  return { ...rest, data: { ...data, deliveries: [refused_delivery] } }
}

const refused_delivery = {
  recipient: "ap@beta.example",
  status: "refused",
  code: "temporarily_refused",
  error: "451 greylisted, come back later"
}

const dataOf = (object: string, attributes: Example, status_before: string | undefined): Event["data"] => ({
  object,
  id: attributes["id"] ?? attributes["receipt_ref"] ?? null,
  attributes,
  ...(status_before === undefined ? {} : { previous: { status: status_before } })
})

/** Thirteen events are `stable`; the others are `extended`, i.e. additions to them (rules/webhooks.md, Events). */
const described: Readonly<Record<EventName, Pick<CatalogItem, "description" | "stability"> & Pick<Event, "data">>> = {
  "invoice.created": stable("An invoice is created.", "invoice", draftInvoice),
  "invoice.updated": stable("An invoice is modified.", "invoice", draftInvoice, "draft"),
  "invoice.sent": stable("An invoice is transmitted to the customer.", "invoice", invoice("sent"), "draft"),
  "invoice.paid": stable("An invoice is fully paid.", "invoice", invoice("paid"), "sent"),
  "invoice.overdue": stable("An invoice passes its due date unpaid.", "invoice", invoice("overdue"), "sent"),
  "invoice.deleted": extended("A draft invoice is deleted.", "invoice", draftInvoice),
  "invoice.partially_paid": extended("A part of an invoice is paid.", "invoice", invoice("partially_paid"), "sent"),
  "invoice.mail_refused": undelivered("the message with an invoice", "invoice", invoice("sent")),
  "attachment.created": extended("A file is attached to an invoice.", "attachment", attachment),
  "attachment.deleted": extended("An attachment is removed from its invoice.", "attachment", attachment),
  "quote.created": stable("A quote is created.", "quote", quote("draft")),
  "quote.updated": extended(
    "A quote is modified or converted, or its conversion is undone.",
    "quote",
    quote("draft"),
    "draft"
  ),
  "quote.sent": extended("A quote is transmitted to the customer.", "quote", quote("sent"), "draft"),
  "quote.mail_refused": undelivered("the message with a quote", "quote", quote("sent")),
  "quote.accepted": stable("A customer accepts a quote.", "quote", quote("accepted"), "sent"),
  "quote.rejected": stable("A customer rejects a quote.", "quote", quote("rejected"), "sent"),
  "quote.deleted": extended("A quote is deleted.", "quote", quote("draft")),
  "expense.created": stable("An expense is recorded.", "expense", expense),
  "expense.updated": extended(
    "An expense is modified, paid, billed, linked, or released when its invoice line or invoice is deleted.",
    "expense",
    expense,
    "pending"
  ),
  "expense.deleted": extended("An expense is deleted.", "expense", expense),
  "customer.created": stable("A customer is created.", "customer", customer),
  "customer.updated": extended("A customer or one of its contacts is modified.", "customer", customer),
  "customer.deleted": extended("A customer is deleted, after its contacts.", "customer", customer),
  "contact.created": extended("A contact is created.", "contact", contact),
  "contact.updated": extended("A contact is modified.", "contact", contact),
  "contact.deleted": extended("A contact is deleted, by itself or with its customer.", "contact", contact),
  "payment.created": extended("A payment is recorded.", "payment", payment("completed")),
  "payment.updated": extended(
    "A payment is modified, or linked to a bank transaction.",
    "payment",
    payment("completed")
  ),
  "payment.refunded": extended("Money of a payment is refunded.", "payment", payment("refunded")),
  "payment.refund_reversed": extended("A refund is reversed.", "payment", payment("completed")),
  "payment.deleted": extended("A payment is deleted.", "payment", payment("completed")),
  "credit_note.created": extended("A credit note is created.", "credit_note", draftCreditNote),
  "credit_note.updated": extended("A credit note is modified.", "credit_note", draftCreditNote),
  "credit_note.sent": extended("A credit note is sent to the customer.", "credit_note", creditNote, "draft"),
  "credit_note.mail_refused": undelivered("the message with a credit note", "credit_note", draftCreditNote),
  "credit_note.deleted": extended("A draft credit note is deleted.", "credit_note", draftCreditNote),
  "einvoice.created": extended("An e-invoice is queued for its submission.", "einvoice", einvoice("pending")),
  "einvoice.updated": extended(
    "An e-invoice changes in a way that no other event reports, for example its acceptance.",
    "einvoice",
    einvoice("accepted"),
    "delivered"
  ),
  "einvoice.sent": stable("An e-invoice is submitted to the network.", "einvoice", einvoice("sent"), "submitted"),
  "einvoice.delivered": stable("An e-invoice reaches its receiver.", "einvoice", einvoice("delivered"), "sent"),
  "einvoice.failed": stable("An e-invoice cannot be delivered.", "einvoice", einvoice("failed"), "submitted"),
  "einvoice.received": extended("A document arrives from a supplier.", "received_document", received),
  "received_document.updated": extended(
    "A document of a supplier is accepted, refused or booked as an expense.",
    "received_document",
    { ...received, status: "accepted", answered_at: received.received_at },
    "received"
  ),
  "bank_statement.imported": extended("A bank statement is imported.", "bank_statement", bankStatement),
  "bank_statement.deleted": extended("An imported bank statement is deleted.", "bank_statement", bankStatement),
  "bank_transaction.matched": extended(
    "A bank transaction is matched with the documents that it pays.",
    "bank_transaction",
    bankTransaction,
    "unmatched"
  ),
  "bank_transaction.unmatched": extended(
    "Matches of a bank transaction are undone.",
    "bank_transaction",
    unmatchedTransaction,
    "matched"
  ),
  "bank_rule.created": extended("A bank rule is created.", "bank_rule", bankRule),
  "bank_rule.updated": extended("A bank rule is modified.", "bank_rule", bankRule),
  "bank_rule.deleted": extended("A bank rule is deleted.", "bank_rule", bankRule),
  "receipt.processed": extended("A receipt has been read.", "receipt", receipt, "processing"),
  "organization.updated": extended("The organization or its settings are modified.", "organization", organization),
  "member.created": extended("A person is invited to the organization, or becomes a member.", "member", {
    ...member,
    name: member.email,
    status: "invited",
    joined_at: null
  }),
  "member.updated": extended("A member gets another role, or accepts the invitation.", "member", member, "invited"),
  "member.deleted": extended(
    "A member is removed from the organization, or an invitation is withdrawn.",
    "member",
    member
  ),
  "webhook.deleted": extended("A webhook is deleted.", "webhook", webhook),
  "archive.export_completed": extended("An export of the archive is ready.", "export", recordsExport, "building"),
  "archive.checkpoint": extended("The head of the audit chain is signed.", "checkpoint", checkpoint)
}

export const catalog: ReadonlyArray<CatalogItem> = Object.entries(described).map(
  ([key, { data, description, stability }], index) => {
    // Boundary: `Object.entries` loses the type of the keys, which are event names.
    const name = key as EventName
    return {
      name,
      description,
      stability,
      example: {
        id: "evt_01939d2c7e5b7c3f9f0a0d7f5a1f2c11",
        type: name,
        event: name,
        timestamp: Timestamp.make("2026-03-02T09:15:00.000Z"),
        organization_id: OrganizationId.make(7),
        sequence: 1042 + index,
        api_version: "v1",
        livemode: true,
        data
      }
    }
  }
)

import type { Node } from "./Schemas.ts"

interface Announcement {
  readonly name: string
  readonly description: string
  readonly example: { readonly data: Node }
}

/** For each kind of object, the schema of the record that its events have in `data.attributes`. */
const records: Readonly<Record<string, string>> = {
  attachment: "Attachment",
  bank_rule: "BankRule",
  bank_statement: "ImportSession",
  bank_transaction: "BankTransaction",
  checkpoint: "Checkpoint",
  contact: "Contact",
  credit_note: "CreditNote",
  customer: "Customer",
  einvoice: "Einvoice",
  expense: "Expense",
  export: "ArchiveExport",
  invoice: "Invoice",
  member: "Member",
  organization: "Organization",
  payment: "Payment",
  quote: "Quote",
  receipt: "Receipt",
  received_document: "ReceivedEinvoice",
  webhook: "Webhook"
}

const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The kinds of records whose events may report messages that a mail server refused. */
const mailed: ReadonlySet<string> = new Set(["credit_note", "invoice", "quote"])

const deliveries = {
  type: "array",
  items: schema("RecipientDelivery"),
  description: "The refused messages, in an event whose name ends with `.mail_refused`."
}

const messageOf = (object: string, record: string) => ({
  description: `A message about a record of the kind \`${object}\`.`,
  allOf: [
    schema("Event"),
    {
      type: "object",
      properties: {
        data: {
          type: "object",
          description: "The record that the event is about.",
          properties: {
            object: { type: "string", enum: [object], description: "Kind of the record." },
            id: { type: ["integer", "string", "null"], description: "Id of the record." },
            previous: {
              type: "object",
              description: "Previous values of the fields whose change the event reports.",
              properties: { status: { type: "string", description: "Former status." } }
            },
            ...(mailed.has(object) ? { deliveries } : {}),
            attributes: { ...schema(record), description: "The record as GET returned it at the time of the event." }
          },
          required: ["object", "attributes"]
        }
      },
      required: ["data"]
    }
  ]
})

const messageNamed = (object: string) => `${records[object] ?? ""}Event`

export const webhookSchemas: Node = Object.fromEntries(
  Object.entries(records).map(([object, record]) => [messageNamed(object), messageOf(object, record)])
)

const text = { type: "string" }

const header = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: true,
  schema: text,
  description,
  example
})

/** Headers of every message: those of Standard Webhooks, and those of the service. */
export const webhookHeaders = {
  MessageId: header(
    "webhook-id",
    "Id of the message, the same in every attempt: use it to recognize duplicates.",
    "evt_01939d2c7e5b7c3f9f0a0d7f5a1f2c11"
  ),
  MessageTimestamp: header(
    "webhook-timestamp",
    "Time of the attempt in seconds since 1970-01-01T00:00:00Z. Refuse a message that is minutes old.",
    "1772442900"
  ),
  MessageSignature: header(
    "webhook-signature",
    "`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` with the webhook's secret. While an " +
      "old secret is still valid, a second signature follows after a space.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
  ),
  MessageBodySignature: header(
    "X-Webhook-Signature",
    "HMAC-SHA256 of the body in lowercase hexadecimal; the key is the text of the webhook's newest secret. Compare " +
      "the two signatures in constant time.",
    "ae4493743e732f881ebb6d46547a82b90189b588021d99d9be866caba09f12f3"
  ),
  MessageEventId: header(
    "X-Webhook-Id",
    "Id of the event, as in `webhook-id` and in the body.",
    "evt_01939d2c7e5b7c3f9f0a0d7f5a1f2c11"
  ),
  MessageEventName: header("X-Webhook-Event", "Name of the event, as in the body.", "invoice.paid"),
  MessageAttemptTime: header(
    "X-Webhook-Timestamp",
    "Time of the attempt, as in `webhook-timestamp`. `X-Webhook-Signature` does not cover it.",
    "1772442900"
  ),
  MessageAttempt: header("X-Webhook-Attempt", "Number of the attempt, from 1.", "1")
}

const received = { description: "The message was received. Any status from 200 to 299 counts as received." }
const refused = {
  description:
    "The message was not received. It is sent again after increasing pauses, twelve times within four days. 410 " +
    "deactivates the webhook."
}

/** The messages that a webhook can subscribe to, as the document's `webhooks`. */
export const webhooks = (catalog: ReadonlyArray<Announcement>): Node =>
  Object.fromEntries(
    catalog.map(({ description, example, name }) => [
      name,
      {
        post: {
          operationId: `on.${name}`,
          summary: description.replace(/\.$/, ""),
          description: `Sent to every webhook that subscribes to \`${name}\`.`,
          tags: ["Webhooks"],
          security: [],
          parameters: Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
          requestBody: {
            required: true,
            content: { "application/json": { schema: schema(messageNamed(String(example.data["object"]))), example } }
          },
          responses: { "2XX": received, "4XX": refused }
        }
      }
    ])
  )

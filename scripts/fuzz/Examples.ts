import * as fc from "fast-check"
import type { Arbitrary } from "fast-check"
import { document } from "../../test/contract/document/OpenApi.ts"
import { magic } from "../../test/support/counterparts/Network.ts"
import { Slot } from "./Values.ts"

export interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly not?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Schema
  readonly format?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
}

const array_max = 3
const integer_max = 100
const picks = 10_000
/** One in this many ids in requests belongs to a record of another organization. */
const foreign_rate = 25

/** The id (or another field) of a record in a collection, sometimes of another organization's record. */
export const slot = (collection: string, field = "id"): Arbitrary<Slot> =>
  fc
    .tuple(fc.nat(picks), fc.integer({ min: 1, max: foreign_rate }))
    .map(([pick, of]) => new Slot(collection, field, pick, of === foreign_rate))

/** Returns the collection to which the ids in a field belong: `customers` for `customer_id` or `customer_ids`. */
const collectionOf = (field: string): string | undefined => {
  const name = /^(\w+?)_ids?$/.exec(field)?.[1]
  return name === undefined ? undefined : `${name.replaceAll("_", "-")}s`
}

const timestamp = fc.constantFrom("2026-03-01T10:00:00Z", "2026-03-01T10:00:00.000+02:00", "2026-03-01")
const days = fc
  .integer({ min: 0, max: 700 })
  .map((day) => new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10))
const late = fc.constantFrom("2027-06-30", "2028-01-31")
const from = fc.constantFrom("2025-01-01", "2026-03-01")
const until = fc.constantFrom("2026-03-31", "2026-12-31")

/** Plausible values of fields that the schema describes too vaguely, by field name or by operation and field name. */
const fields: Readonly<Record<string, Arbitrary<unknown>>> = {
  currency: fc.constantFrom("EUR", "EUR", "EUR", "USD", "JPY"),
  country: fc.constantFrom("BE", "FR", "DE", null),
  country_code: fc.constant("BE"),
  timezone: fc.constantFrom("Europe/Brussels", "Asia/Tokyo"),
  language: fc.constantFrom("en", "nl", "fr"),
  email: fc.nat(picks).map((n) => `person${n}@example.com`),
  website: fc.constant("https://example.com"),
  phone: fc.constant("+32 2 555 00 00"),
  payment_method: fc.constantFrom("bank_transfer", "cash", "card"),
  category: fc.constantFrom("meals", "travel", "own category"),
  tax_number: fc.constantFrom(null, "BE0202239951"),
  billing_subdivision_code: fc.constant(null),
  shipping_subdivision_code: fc.constant(null),
  subdivision_code: fc.constant(null),
  einvoicing_identifier_scheme: fc.constant("0208"),
  einvoicing_identifier_value: fc.constant("0202239951"),
  peppol_recipient: fc.constant(null),
  identifier_scheme: fc.constant("0208"),
  identifier_value: fc.constant("0202239951"),
  recipient_identifier_scheme: fc.constant("0088"),
  recipient_identifier_value: fc.constantFrom(...Object.values(magic)),
  recipient_country_code: fc.constant("BE"),
  provider: slot("einvoicing/registration", "provider"),
  tax_reference_id: fc.constant("1234567"),
  "registrations.register.organization_id": fc.nat(picks).map((pick) => new Slot("organizations", "id", pick, true)),
  "registrations.register.provider": fc.constant("peppol"),
  "einvoicingDirectory.search.provider": fc.constant("peppol"),
  vat_number: fc.constant(null),
  es_sii_registered: fc.constant(true),
  exchange_rate: fc.constantFrom<unknown>(null, null, "1.1", 1.25, 0.00003543),
  issue_date: fc.constantFrom("2026-03-01", "2026-11-01"),
  start_date: from,
  end_date: until,
  issued_from: from,
  issued_until: until,
  due_date: late,
  valid_until: late,
  sent_at: timestamp,
  paid_at: timestamp,
  accepted_at: timestamp,
  rejected_at: timestamp,
  tax_rate_ids: fc.constant([]),
  // Lines, unlike expenses, refuse null, and rates of random amounts would not add up.
  tax_rates: fc.constant(undefined),
  tax_amount: fc.constant(null),
  vat_deductible_percentage: fc.nat(100),
  markup_percentage: fc.nat(100),
  discount_type: fc.constant("percent"),
  discount: fc.nat(100),
  unit: fc.constantFrom("hour", "C62"),
  tax_exempt: fc.constant(false),
  tax_exemption_reason: fc.constant(null),
  quantity: fc.constantFrom<unknown>(1, 20, "1.5", 0.333),
  unit_price: fc.constantFrom<unknown>(100, 12.5, "0.01", 99_999_999),
  amount: fc.constantFrom<unknown>(1, 12.34, "0.01"),
  amount_min: fc.constantFrom("0", "0.01"),
  amount_max: fc.constantFrom("100", "99999999"),
  amount_paid: fc.constant(null),
  credit_type: fc.constant("partial"),
  credit_note_type_code: fc.constantFrom(null, "381"),
  recipients: fc.constantFrom<unknown>("a@example.com", ["a@example.com", "b@example.com"], null),
  receipt_path: fc.oneof(fc.constant(null), slot("receipts", "receipt_path")),
  // The fields of these objects depend on each other.
  delivery_period: fc.constantFrom<unknown>(null, { start: "2026-03-01", end: "2026-03-31" }),
  delivery_date: fc.constant(null),
  payee: fc.constantFrom<unknown>(null, { name: "Factor" }, { name: "Factor", identifier: "F-1" }),
  payment_means: fc.constantFrom<unknown>(
    null,
    { method: "bank_transfer" },
    { method: "bank_transfer", iban: "BE68539007547034", bic: "KREDBEBB" },
    { method: "card", card_last_digits: "1234" },
    { method: "direct_debit", mandate_reference: "M-1", debited_iban: "BE68539007547034" }
  ),
  corrective_cause: fc.constantFrom<unknown>(null, { code: "R1", text: "Returned" }),
  discounts: fc.constantFrom<unknown>(null, [], [{ description: "Loyalty", amount: "0.01", tax_exempt: false }]),
  charges: fc.constantFrom<unknown>(null, [{ description: "Freight", percentage: 5 }]),
  embedded_attachment_ids: fc.constantFrom<unknown>(null, []),
  prepaid_amount: fc.constantFrom<unknown>(null, 0, "0.01"),
  exemption_code: fc.constant(null),
  updated_since: timestamp,
  cursor: fc.constant(""),
  // A client must not send these fields. As their value here is undefined, the requests leave them out.
  ...Object.fromEntries(
    ["number", "invoice_number", "quote_number", "status", "invoice_id", "is_overdue"].flatMap((name) =>
      ["invoices", "quotes", "payments", "creditNotes"].map((group) => [
        `${group}.update.${name}`,
        fc.constant(undefined)
      ])
    )
  ),
  // The random number is large, because the service refuses an external id that another record has.
  external_id: fc.nat().map((n) => `A-${n}`),
  metadata: fc.constantFrom(null, {}, { project: "Alpha" }),
  deleted: fc.constantFrom("false", "false", "true"),
  match_id: slot("matches"),
  id: fc.constant(null),
  page: fc.constantFrom("1", "2", "1000000"),
  per_page: fc.constantFrom("1", "25", "100"),
  after: fc.constantFrom("0", "1", "50"),
  url: slot("receivers", "url"),
  secret: fc.constantFrom("a secret of many characters", null),
  "webhooks.rotateSecret.secret": fc.constant(null),
  "organizations.update.currency": fc.constant("EUR"),
  // The organization keeps its tax number, because without one it could send no invoice to a network.
  "organizations.update.tax_number": slot("organizations", "tax_number"),
  "organizations.update.settings": fc.constantFrom<unknown>(
    [{ key: "default_payment_terms_days", value: 14 }],
    [{ key: "invoice_number_format", value: "{PREFIX}/{YY}/{SEQ}" }],
    [{ key: "invoice_number_on", value: "create" }],
    [
      { key: "allow_overpayment", value: true },
      { key: "invoice_next_number", value: null }
    ]
  ),
  "mailPreview.create.mail_texts": fc.constantFrom<unknown>(
    undefined,
    {},
    { fr: { quote: { subject: "Devis {number}", text: "{message}" } } }
  ),
  "batch.sendInvoices.invoice_ids": fc.array(slot("invoices"), { minLength: 1, maxLength: array_max }),
  "receipts.poll.organization_id": slot("organizations")
}

const texts = fc.oneof(
  fc.constantFrom("Consulting", "Café Zürich", "12.50", "日本語", "عربى", "a & <b>"),
  fc.string({ minLength: 1, maxLength: 30 })
)

const component = ($ref: string) => (document.components.schemas[$ref.split("/").at(-1) ?? ""] ?? {}) as Schema

/** Merges a schema with the one that it refers to and with those of its `allOf`. */
export const resolved = ({ $ref, allOf = [], ...schema }: Schema): Schema => {
  const parts = [...allOf, ...($ref === undefined ? [] : [component($ref)])].map(resolved)
  return parts.reduce<Schema>(
    (whole, part) => ({
      ...part,
      ...whole,
      ...(part.properties === undefined ? {} : { properties: { ...part.properties, ...whole.properties } }),
      ...(part.required === undefined ? {} : { required: [...part.required, ...(whole.required ?? [])] })
    }),
    schema
  )
}

export const example = (reference: Schema, operation: string, field: string): Arbitrary<unknown> => {
  const schema = resolved(reference)
  const known = fields[`${operation}.${field}`] ?? fields[field]
  if (known !== undefined) return known
  const collection = collectionOf(field)
  const { type } = schema
  const isList = type !== undefined && [type].flat().includes("array")
  if (collection !== undefined && !isList && schema.anyOf === undefined) return slot(collection)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (typeof type === "object")
    return fc.oneof(...type.map((one) => example({ ...schema, type: one }, operation, field)))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => example(choice, operation, field)))
  switch (type) {
    case "null":
      return fc.constant(null)
    case "object":
      return objectOf(schema, operation)
    case "array": {
      const item = collection === undefined ? example(schema.items ?? {}, operation, field) : slot(collection)
      return fc.array(item, { minLength: schema.minItems ?? 0, maxLength: array_max })
    }
    case "boolean":
      return fc.boolean()
    case "integer":
      return fc.integer({ min: Math.max(1, schema.minimum ?? 1), max: Math.min(integer_max, schema.maximum ?? 100) })
    case "number":
      return fc.integer({ min: 1, max: 100_000 }).map((units) => units / 100)
    default:
      return schema.format === "date" ? days : texts
  }
}

const objectOf = (schema: Schema, operation: string): Arbitrary<unknown> => {
  const known = Object.entries(schema.properties ?? {}).filter(([, property]) => property.not === undefined)
  const values = known.map(([name, property]) => [name, example(property, operation, name)] as const)
  const requiredKeys = known.flatMap(([name]) => (schema.required?.includes(name) === true ? [name] : []))
  return recordOf(Object.fromEntries(values), requiredKeys)
}

/** Fields that must be sent together or not at all. */
const pairs = [
  ["identifier_scheme", "identifier_value"],
  ["einvoicing_identifier_scheme", "einvoicing_identifier_value"],
  ["es_sii_registered", "es_foral_territory"]
] as const

export const recordOf = (values: Readonly<Record<string, Arbitrary<unknown>>>, requiredKeys: Array<string>) =>
  fc.record<Record<string, unknown>>(values, { requiredKeys }).map((record) => {
    const halves = pairs.filter(([one, other]) => one in record !== other in record).flat()
    return Object.fromEntries(
      Object.entries(record).filter(([name, value]) => value !== undefined && !halves.some((half) => half === name))
    )
  })

import { Schema, Struct } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { clientData, clientDataInput, externalIdFilter } from "../../kernel/ClientData.ts"
import { EmailAddress } from "../../kernel/EmailAddress.ts"
import { ContactId, CustomerId, inText } from "../../kernel/Ids.ts"
import { deletableQuery, type CursorRequest } from "../../kernel/Listing.ts"
import { Line, Name, Notes, nullable } from "../../kernel/Text.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"

/** A contact person of a customer. At most one contact of a customer is primary. */
export const Contact = Schema.Struct({
  id: ContactId,
  customer_id: CustomerId,
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  phone: Schema.NullOr(Schema.String),
  position: Schema.NullOr(Schema.String),
  is_primary: Schema.Boolean,
  notes: Schema.NullOr(Schema.String),
  ...clientData,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
}).annotate({ identifier: "Contact" })
export type Contact = typeof Contact.Type

export const contactEvent = recordEvent("contact", Contact)

export const contactsSorting = { columns: ["name", "id", "updated_at"], usual: "-id" } as const

export const contactsQuery = {
  ...deletableQuery(contactsSorting),
  ...externalIdFilter,
  customer_id: Schema.optionalKey(inText(CustomerId)),
  /** Searches name and email, ignoring case and accents. */
  search: Schema.optionalKey(Line)
}
export type ContactsQuery = Schema.Struct.Type<typeof contactsQuery> & CursorRequest

/** The details that clients write. */
export const ContactDetails = Schema.Struct(
  Struct.pick(Contact.fields, [
    "customer_id",
    "name",
    "email",
    "phone",
    "position",
    "is_primary",
    "notes",
    "external_id",
    "metadata"
  ])
)
export type ContactDetails = typeof ContactDetails.Type

/** A contact as part of its customer. */
export const CustomerContact = Schema.Struct({ id: ContactId, ...ContactDetails.fields }).annotate({
  identifier: "CustomerContact"
})

export const ContactDraft = Schema.Struct({
  customer_id: CustomerId,
  name: Name,
  email: nullable(EmailAddress),
  phone: nullable(Line),
  position: nullable(Line),
  is_primary: nullable(Schema.Boolean),
  notes: nullable(Notes),
  ...clientDataInput
}).annotate({ identifier: "ContactDraft" })
export type ContactDraft = typeof ContactDraft.Type

export const ContactChanges = Schema.Struct({
  ...ContactDraft.fields,
  customer_id: Schema.optionalKey(CustomerId),
  name: Schema.optionalKey(Name),
  is_primary: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ContactChanges" })
export type ContactChanges = typeof ContactChanges.Type

import { Schema, Struct } from "effect"
import { clientData, clientDataInput, externalIdFilter } from "../kernel/ClientData.ts"
import { EmailAddress } from "../kernel/EmailAddress.ts"
import { ContactId, CustomerId, inText } from "../kernel/Ids.ts"
import { deletableQuery, type CursorRequest } from "../kernel/Listing.ts"
import { Line, Name, Notes, nullable, nullableCode, unlessNull } from "../kernel/Text.ts"
import { recordEvent } from "../platform/events/RecordEvent.ts"
import { described } from "../kernel/Described.ts"
import { recordFields } from "../kernel/RecordFields.ts"

export const Contact = Schema.Struct({
  id: ContactId,
  customer_id: CustomerId,
  name: described(Schema.String, "Name of the person."),
  email: described(Schema.NullOr(Schema.String), "E-mail address; null if unknown."),
  phone: described(Schema.NullOr(Schema.String), "Telephone number; null if unknown."),
  position: described(Schema.NullOr(Schema.String), "Position in the company; null if unknown."),
  is_primary: described(
    Schema.Boolean,
    "True if documents are sent to this contact; at most one contact of a customer is primary."
  ),
  notes: described(Schema.NullOr(Schema.String), "Free text for your own use; null if there is none."),
  ...clientData,
  ...recordFields
}).annotate({ identifier: "Contact", description: "A contact person of a customer." })
export type Contact = typeof Contact.Type

export const contactEvent = recordEvent("contact", Contact)

export const contactsSorting = { columns: ["name", "id", "updated_at"], usual: "-id" } as const

export const contactsQuery = {
  ...deletableQuery(contactsSorting),
  ...externalIdFilter,
  customer_id: described(Schema.optionalKey(inText(CustomerId)), "Only records of this customer."),
  search: described(
    Schema.optionalKey(Line),
    "Text to look for in names and e-mail addresses, ignoring case and accents."
  )
}
export type ContactsQuery = Schema.Struct.Type<typeof contactsQuery> & CursorRequest

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

export const CustomerContact = Schema.Struct({ id: ContactId, ...ContactDetails.fields }).annotate({
  identifier: "CustomerContact",
  description: "A contact person, as part of the customer."
})

export const ContactDraft = Schema.Struct({
  customer_id: described(CustomerId, "Customer that the person works for."),
  name: described(Name, "Name of the person."),
  email: described(nullableCode(EmailAddress), "E-mail address; null if unknown."),
  phone: described(nullable(Line), "Telephone number; null if unknown."),
  position: described(nullable(Line), "Position in the company; null if unknown."),
  is_primary: described(
    nullable(Schema.Boolean),
    "If true, documents are sent to this contact instead of the previous primary one. Default: false."
  ),
  notes: described(nullable(Notes), "Free text for your own use; null for none."),
  ...clientDataInput
}).annotate({ identifier: "ContactDraft", description: "A contact to be created." })
export type ContactDraft = typeof ContactDraft.Type

export const ContactChanges = Schema.Struct({
  ...ContactDraft.fields,
  customer_id: Schema.optionalKey(CustomerId),
  name: described(Schema.optionalKey(Name), "Name of the person."),
  is_primary: described(
    unlessNull(Schema.Boolean),
    "If true, documents are sent to this contact instead of the previous primary one. Null changes nothing."
  )
}).annotate({
  identifier: "ContactChanges",
  description: "The fields of a contact to change; others are kept."
})
export type ContactChanges = typeof ContactChanges.Type

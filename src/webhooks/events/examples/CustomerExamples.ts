import type { Contact } from "../../../customers/Contact.ts"
import type { Customer } from "../../../customers/Customer.ts"
import { kept, type Wire, written } from "./EventExamples.ts"

const els = {
  id: 3,
  customer_id: 9,
  name: "Els",
  email: "els@beta.example",
  phone: null,
  position: "Accounts payable",
  is_primary: true,
  notes: null,
  external_id: null,
  metadata: {}
}

export const contact = { ...els, ...written, version: 1 } satisfies Wire<typeof Contact>

export const customer = {
  id: 9,
  name: "Beta",
  email: "ap@beta.example",
  phone: null,
  website: null,
  tax_number: "BE0123456749",
  address_line1: "Main Street 1",
  address_line2: null,
  city: "Brussels",
  state: null,
  postal_code: "1000",
  country: "BE",
  billing_subdivision_code: null,
  shipping_subdivision_code: null,
  language: "en",
  currency: "EUR",
  notes: null,
  einvoicing_identifier_scheme: "0208",
  einvoicing_identifier_value: "0123456749",
  einvoicing_identifier_verified: false,
  ...kept,
  contacts: [els],
  ...written,
  version: 1
} satisfies Wire<typeof Customer>

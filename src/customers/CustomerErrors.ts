import { Schema } from "effect"
import { refusal } from "../kernel/Refusal.ts"

export class CustomerHasDocuments extends Schema.Error<CustomerHasDocuments>("CustomerHasDocuments")(
  refusal("CustomerHasDocuments", "customer_has_documents"),
  {
    httpApiStatus: 422,
    description:
      "The customer has a numbered draft or a document other than a draft, which must be kept, and therefore cannot be " +
      "deleted."
  }
) {
  static of() {
    return new CustomerHasDocuments({
      message:
        "A customer with a numbered draft, or with a document other than a draft, cannot be deleted, because these " +
        "documents must be kept."
    })
  }
}

export class CustomerDeleted extends Schema.Error<CustomerDeleted>("CustomerDeleted")(
  refusal("CustomerDeleted", "customer_deleted"),
  { httpApiStatus: 422, description: "The customer was deleted, so documents can no longer be issued to it." }
) {
  static of() {
    return new CustomerDeleted({ message: "The customer was deleted; documents can no longer be issued to it." })
  }
}

/** Each answer and each event about a customer contains all its contacts, so their number and size are limited. */
export const contacts_per_customer_max = 200
export const contacts_kibibytes_max = 512

const too_many = `A customer may have at most ${contacts_per_customer_max} contacts, of ${contacts_kibibytes_max} KiB together.`

export class TooManyContacts extends Schema.Error<TooManyContacts>("TooManyContacts")(
  refusal("TooManyContacts", "too_many_contacts"),
  { httpApiStatus: 422, description: too_many }
) {
  static of() {
    return new TooManyContacts({ message: too_many })
  }
}

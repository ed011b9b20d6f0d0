import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { type CustomerId, EinvoiceId } from "../../kernel/Ids.ts"
import { type NetworkDefinition, ProviderCode } from "../providers/Network.ts"
import { Finding } from "../rules/Finding.ts"
import { type Einvoice, EinvoiceStatus } from "./Einvoice.ts"
import type { Preflight } from "./Submission.ts"

/** The organization is on no network, or not as a sender: nothing that is wrong with what was submitted. */
export class NotRegistered extends Schema.Error<NotRegistered>("NotRegistered")(
  refusal("NotRegistered", "not_registered"),
  { httpApiStatus: 400 }
) {
  static of() {
    return new NotRegistered({ message: "The organization has no active registration as a sender of e-invoices." })
  }
}

/** The network wants a form of document that this service does not write, and nobody can make it of ours. */
export class FormatUnsupported extends Schema.Error<FormatUnsupported>("FormatUnsupported")(
  {
    ...refusal("FormatUnsupported", "format_unsupported"),
    details: Schema.Struct({ provider: ProviderCode, specification: Schema.String })
  },
  { httpApiStatus: 422 }
) {
  static of({ code, name, specification }: NetworkDefinition) {
    return new FormatUnsupported({
      message: `${name} takes ${specification}, which cannot be sent from here.`,
      details: { provider: code, specification }
    })
  }
}

/** One submission of an invoice is live at a time; after it failed or was rejected there may be another. */
export class AlreadySubmitted extends Schema.Error<AlreadySubmitted>("AlreadySubmitted")(
  {
    ...refusal("AlreadySubmitted", "already_submitted"),
    details: Schema.Struct({ id: EinvoiceId, status: EinvoiceStatus })
  },
  { httpApiStatus: 422 }
) {
  static of({ id, status }: Pick<Einvoice, "id" | "status">) {
    return new AlreadySubmitted({
      message: `The invoice was submitted already, and its submission is ${status}.`,
      details: { id, status }
    })
  }
}

/** Nobody said where on the network the customer is. */
export class NoNetworkRecipient extends Schema.Error<NoNetworkRecipient>("NoNetworkRecipient")(
  refusal("NoNetworkRecipient", "no_network_recipient"),
  { httpApiStatus: 422 }
) {
  static of(customer_id: CustomerId) {
    return new NoNetworkRecipient({
      message: `Customer ${customer_id} has no e-invoicing identifier with a country, and no recipient was named.`
    })
  }
}

/** Nothing was submitted, and nothing issued, for a reason that is not the client's. */
export class SubmissionFailed extends Schema.Error<SubmissionFailed>("SubmissionFailed")(
  { ...refusal("SubmissionFailed", "submission_failed"), retryable: Schema.Boolean },
  { httpApiStatus: 500 }
) {
  static of() {
    // What kept it from being built is in the records, and stays there.
    return new SubmissionFailed({ message: "The document could not be built.", retryable: false })
  }
}

/** The network would refuse it; says what `POST /einvoicing/validate` says. */
export class InvalidDocument extends Schema.Error<InvalidDocument>("InvalidDocument")(
  {
    ...refusal("InvalidDocument", "invalid_document"),
    details: Schema.Struct({ errors: Schema.Array(Finding), warnings: Schema.Array(Finding) })
  },
  { httpApiStatus: 422 }
) {
  static of({ errors, warnings }: Pick<Preflight, "errors" | "warnings">) {
    const [first] = errors
    const message = `The document breaks ${errors.length} rule${errors.length === 1 ? "" : "s"} of the network.`
    return new InvalidDocument({
      message: first === undefined ? message : `${message} ${first.rule}: ${first.message}`,
      details: { errors, warnings }
    })
  }
}

import { Schema } from "effect"
import { refusal } from "../../kernel/Refusal.ts"
import { type CustomerId, EinvoiceId } from "../../kernel/Ids.ts"
import { counted } from "../../kernel/Text.ts"
import { SignatureFault, type SignatureUnfit } from "../providers/Signing.ts"
import type { FormOffer } from "../countries/Form.ts"
import { ProviderCode } from "../providers/Network.ts"
import { Finding } from "../records/Finding.ts"
import { type Einvoice, EinvoiceStatus } from "./Einvoice.ts"
import type { Preflight } from "./Submission.ts"
import { described } from "../../kernel/Described.ts"

export class NotRegistered extends Schema.Error<NotRegistered>("NotRegistered")(
  refusal("NotRegistered", "not_registered"),
  {
    httpApiStatus: 400,
    description: "The organization has no active registration as a sender of e-invoices; register first."
  }
) {
  static of() {
    return new NotRegistered({
      message:
        "The organization has no active registration as a sender of e-invoices: register it, or wait until its " +
        "registration is active."
    })
  }
}

export class FormatUnsupported extends Schema.Error<FormatUnsupported>("FormatUnsupported")(
  {
    ...refusal("FormatUnsupported", "format_unsupported"),
    details: described(
      Schema.Struct({
        provider: ProviderCode,
        specification: described(Schema.String, "Name of the required format.")
      }),
      "The required format."
    )
  },
  { httpApiStatus: 422, description: "The law of the country requires a format that this service does not write." }
) {
  static of(
    provider: ProviderCode,
    { reason, specification }: Pick<Extract<FormOffer, { readonly isWritten: false }>, "reason" | "specification">
  ) {
    return new FormatUnsupported({ message: reason, details: { provider, specification } })
  }
}

export class AlreadySubmitted extends Schema.Error<AlreadySubmitted>("AlreadySubmitted")(
  {
    ...refusal("AlreadySubmitted", "already_submitted"),
    details: described(Schema.Struct({ id: EinvoiceId, status: EinvoiceStatus }), "The earlier submission.")
  },
  {
    httpApiStatus: 422,
    description: "The document was already submitted; it can be submitted again only after a failure or rejection."
  }
) {
  static of({ id, status }: Pick<Einvoice, "id" | "status">) {
    return new AlreadySubmitted({
      message: `The document was already submitted, and its submission is ${status}.`,
      details: { id, status }
    })
  }
}

export class NotAwaitingSignature extends Schema.Error<NotAwaitingSignature>("NotAwaitingSignature")(
  {
    ...refusal("NotAwaitingSignature", "not_awaiting_signature"),
    details: described(Schema.Struct({ status: EinvoiceStatus }), "The submission.")
  },
  { httpApiStatus: 422, description: "The document needs no signature of the organization, or is signed already." }
) {
  static of({ status }: Pick<Einvoice, "status">) {
    const message = `The document does not wait for a signature; its submission is ${status}.`
    return new NotAwaitingSignature({ message, details: { status } })
  }
}

export class SignatureRefused extends Schema.Error<SignatureRefused>("SignatureRefused")(
  {
    ...refusal("SignatureRefused", "signature_refused"),
    details: described(Schema.Struct({ fault: SignatureFault }), "The fault of the file.")
  },
  { httpApiStatus: 422, description: "The file is not the issued document with a valid signature." }
) {
  static of({ fault, message }: SignatureUnfit) {
    return new SignatureRefused({ message, details: { fault } })
  }
}

export class NoNetworkRecipient extends Schema.Error<NoNetworkRecipient>("NoNetworkRecipient")(
  refusal("NoNetworkRecipient", "no_network_recipient"),
  {
    httpApiStatus: 422,
    description: "Neither the request nor the customer names an e-invoicing identifier with a country."
  }
) {
  static of(customer_id: CustomerId) {
    return new NoNetworkRecipient({
      message: `Customer ${customer_id} has no e-invoicing identifier with a country, and no recipient was named.`
    })
  }
}

export class SubmissionFailed extends Schema.Error<SubmissionFailed>("SubmissionFailed")(
  {
    ...refusal("SubmissionFailed", "submission_failed"),
    retryable: described(Schema.Boolean, "True if a later request can succeed.")
  },
  { httpApiStatus: 500, description: "The service failed, so nothing was issued or submitted." }
) {
  static of() {
    // The cause is logged and not revealed to the client.
    return new SubmissionFailed({ message: "The document could not be built.", retryable: false })
  }
}

/** The network would refuse the document; the error lists the findings of `POST /einvoicing/validate`. */
export class InvalidDocument extends Schema.Error<InvalidDocument>("InvalidDocument")(
  {
    ...refusal("InvalidDocument", "invalid_document"),
    details: described(
      Schema.Struct({
        errors: described(Schema.Array(Finding), "Broken rules, which prevent the submission."),
        warnings: described(Schema.Array(Finding), "Findings that prevent nothing.")
      }),
      "The findings, as the check of the document answers them."
    )
  },
  {
    httpApiStatus: 422,
    description: "The document breaks rules of its format or network; correct what the findings name."
  }
) {
  static of({ errors, warnings }: Pick<Preflight, "errors" | "warnings">) {
    const [first] = errors
    const message = `The document breaks ${counted(errors.length, "rule", "rules")} of the network.`
    return new InvalidDocument({
      message: first === undefined ? message : `${message} ${first.rule}: ${first.message}`,
      details: { errors, warnings }
    })
  }
}

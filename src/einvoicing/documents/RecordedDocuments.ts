import { Context, Effect, Layer, Option, Schema } from "effect"
import type { DepositKey } from "../../archive/deposits/Deposit.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { CreditNoteId, InvoiceId } from "../../kernel/Ids.ts"
import { asSystem } from "../../organizations/AsSystem.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { einvoicingCountry } from "../countries/Countries.ts"
import { networks } from "../providers/Network.ts"
import type { Registration } from "../records/Registration.ts"
import { Registrations } from "../registrations/Registrations.ts"
import { EinvoicesRepo } from "./EinvoicesRepo.ts"
import { Submissions } from "./Submissions.ts"
import { type DocumentIds, SubmittedDocuments } from "./SubmittedDocuments.ts"

type SubmissionRefused = Effect.Error<ReturnType<Submissions["Service"]["submit"]>>

/** The authority itself is the recipient, so the address of the customer only names it. */
const recipient_scheme = "9920"

/** Submits every issued document to an authority that registers them all. */
export class RecordedDocuments extends Context.Service<
  RecordedDocuments,
  {
    /** Does nothing for a document that is a draft again, or that was submitted before. */
    readonly record: (key: DepositKey) => Effect.Effect<void, SubmissionRefused>
  }
>()("invoicing/einvoicing/documents/RecordedDocuments") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const registrations = yield* Registrations
      const documents = yield* SubmittedDocuments
      const submissions = yield* Submissions
      const repo = yield* EinvoicesRepo

      const recordNow = Effect.fnUntraced(function* (ids: DocumentIds) {
        const { country, id: organization_id } = yield* CurrentOrganization
        const registration = Option.filter(yield* registrations.live, isRecorded)
        if (Option.isNone(registration) || (yield* repo.isKnown({ organization_id, ...ids }))) return
        const { document, parties } = yield* Effect.orDie(documents.draw(ids, []))
        if (("due_date" in document ? document.issued_at : document.sent_at) === null) return
        const { customer } = parties
        const own = country ?? registration.value.country_code
        const submitting = submissions.submit({
          organization_id,
          ...ids,
          recipient_identifier_scheme: recipient_scheme,
          recipient_identifier_value: customer.tax_number ?? "",
          recipient_name: customer.name,
          recipient_country_code: isCountry(customer.country) ? customer.country : own
        })
        yield* Effect.catchTag(submitting, "AlreadySubmitted", () => Effect.void)
      })

      const record = Effect.fn("RecordedDocuments.record")(function* (key: DepositKey) {
        const { document_id, document_type, organization_id } = key
        const organization = yield* Effect.orDie(organizations.get(organization_id))
        const isInvoice = document_type === "invoice"
        yield* asSystem(organization)(
          recordNow({
            invoice_id: isInvoice ? InvoiceId.make(document_id) : null,
            credit_note_id: isInvoice ? null : CreditNoteId.make(document_id)
          })
        )
      })

      return RecordedDocuments.of({ record })
    })
  ).pipe(
    Layer.provide([
      Organizations.layer,
      Registrations.layer,
      SubmittedDocuments.layer,
      Submissions.layer,
      EinvoicesRepo.layer
    ])
  )
}

const isCountry = Schema.is(CountryCode)

type Registered = Pick<
  Registration,
  "status" | "provider" | "country_code" | "es_sii_registered" | "es_foral_territory"
> &
  ({ readonly roles: Registration["roles"] } | { readonly acts_as_sender: boolean })

/** True if the authority must get a record of each document of the entity. */
export const isRecorded = (registration: Registered): boolean => {
  const { country_code, provider, status } = registration
  const isSender = "roles" in registration ? registration.roles.acts_as_sender : registration.acts_as_sender
  const isExempt = Option.exists(
    einvoicingCountry(country_code),
    ({ exempt }) => (exempt?.(registration) ?? null) !== null
  )
  return status === "active" && isSender && networks[provider].registers === true && !isExempt
}

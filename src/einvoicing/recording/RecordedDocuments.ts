import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import type { DepositKey } from "../../archive/deposits/Deposit.ts"
import type { CreditNote } from "../../billing/credit-notes/CreditNote.ts"
import { now, timeOf, today } from "../../kernel/Calendar.ts"
import { CountryCode } from "../../kernel/Country.ts"
import { CreditNoteId, InvoiceId, type OrganizationId } from "../../kernel/Ids.ts"
import { NotFound, orNotFound } from "../../kernel/Refusal.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Database } from "../../platform/sql/Database.ts"
import { asSystem } from "../../organizations/AsSystem.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { einvoicingCountry } from "../countries/Countries.ts"
import { madrid } from "../countries/Spain.ts"
import { networks } from "../providers/Network.ts"
import { configured, NetworkRefused, type NetworkUnavailable, Providers } from "../providers/Provider.ts"
import { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import type { RecordBooks } from "../providers/RecordBooks.ts"
import type { RecordComparison } from "../providers/RecordComparison.ts"
import type { Registration } from "../records/Registration.ts"
import { Registrations } from "../registrations/Registrations.ts"
import type { EinvoiceKey } from "../documents/Einvoice.ts"
import { EinvoicesRepo } from "../documents/EinvoicesRepo.ts"
import { extraPolls } from "../documents/ExtraPolls.ts"
import { vatIdentifier } from "../sources/PartyIdentifiers.ts"
import { EinvoiceNews } from "../transmissions/EinvoiceNews.ts"
import { type Cancellation, CancellationQueue, RecordingQueue } from "./RecordingQueue.ts"
import { makeRefusedRecords } from "./RefusedRecords.ts"
import type { Submission } from "../documents/Submission.ts"
import { Submissions } from "../documents/Submissions.ts"
import { type DocumentIds, isIssued, SubmittedDocuments } from "../documents/SubmittedDocuments.ts"

type SubmissionRefused = Effect.Error<ReturnType<Submissions["Service"]["submitIssued"]>>

/** EAS code of Spanish VAT numbers. The document goes to the authority; the number only identifies the customer. */
const recipient_scheme = "9920"

/** Submits every issued document to an authority that registers all documents. */
export class RecordedDocuments extends Context.Service<
  RecordedDocuments,
  {
    /**
     * Does nothing for a document that is a draft again or deleted, or that was submitted before. If the document
     * breaks the rules of the authority, stores a failed submission that says why, because an issued document cannot be
     * corrected.
     */
    readonly record: (key: DepositKey) => Effect.Effect<void, SubmissionRefused>
    /** Enqueues the cancellation of the record of a document that should never have been issued. */
    readonly enqueueCancellation: (key: EinvoiceKey, actor: string) => Effect.Effect<void, NotFound>
    readonly cancel: (ordered: typeof Cancellation.Type) => Effect.Effect<void, NetworkRefused | NetworkUnavailable>
    /** Compares a month's records with those of the authority. Fails without a connection to an authority. */
    readonly compare: (
      organization_id: OrganizationId,
      month: string
    ) => Effect.Effect<RecordComparison, ProviderNotConfigured | NetworkRefused | NetworkUnavailable>
    /** Returns the records that this service stores. Fails without a connection to an authority. */
    readonly books: (organization_id: OrganizationId) => Effect.Effect<RecordBooks, ProviderNotConfigured>
  }
>()("invoicing/einvoicing/recording/RecordedDocuments") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const registrations = yield* Registrations
      const documents = yield* SubmittedDocuments
      const submissions = yield* Submissions
      const refuse = yield* makeRefusedRecords
      const repo = yield* EinvoicesRepo
      const providers = yield* Providers
      const jobs = yield* Jobs
      const polls = yield* extraPolls
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const recordNow = Effect.fnUntraced(function* (ids: DocumentIds) {
        const { country, id: organization_id } = yield* CurrentOrganization
        const registration = Option.filter(yield* registrations.live, isRecorded)
        if (Option.isNone(registration) || (yield* repo.isKnown({ organization_id, ...ids }))) return
        // A send that reached nobody makes its invoice a draft again, which may be deleted before its job runs.
        const drawn = yield* Effect.option(documents.draw(ids, []))
        if (Option.isNone(drawn) || !isIssued(drawn.value.document)) return
        const { document, parties } = drawn.value
        const { customer } = parties
        if (yield* isAhead(organization_id, ids, document)) return
        const own = country ?? registration.value.country_code
        const countries = [customer.country, vatIdentifier(customer.tax_number, customer.country)?.slice(0, 2)]
        const submission: Submission = {
          organization_id,
          ...ids,
          recipient_identifier_scheme: recipient_scheme,
          recipient_identifier_value: customer.tax_number ?? "",
          recipient_name: customer.name,
          recipient_country_code: countries.find(isCountry) ?? own
        }
        yield* submissions
          .submitIssued(submission, (refusal) => refuse(submission, document.number ?? "", registration.value, refusal))
          .pipe(Effect.catchTag("AlreadySubmitted", () => Effect.void))
      })

      /**
       * Lets a document that is dated in the future wait for its date. It was issued before 2026-11-30, when such an
       * issue was first refused, or before the registration.
       */
      const isAhead = Effect.fnUntraced(function* (
        organization_id: OrganizationId,
        { credit_note_id, invoice_id }: DocumentIds,
        { issue_date }: Pick<CreditNote, "issue_date">
      ) {
        if (issue_date === null || issue_date <= (yield* today(madrid))) return false
        const [document_type, document_id] =
          invoice_id === null ? (["credit_note", credit_note_id] as const) : (["invoice", invoice_id] as const)
        if (document_id === null) return false
        const start = DateTime.makeUnsafe(timeOf(issue_date, madrid))
        const delay = DateTime.distance(yield* DateTime.now, start)
        const id = `${document_type}-${document_id}-${issue_date}`
        yield* jobs.offer(RecordingQueue, { document_id, document_type, organization_id }, { id, delay })
        return true
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

      const enqueueCancellation = Effect.fn("RecordedDocuments.enqueueCancellation")(function* (
        key: EinvoiceKey,
        actor: string
      ) {
        const { organization_id } = key
        const { network_status, number, provider, status } = yield* orNotFound(repo.find(key))
        // If the authority does not get the records, the document stays `submitted`. Its network status is null until
        // it has a record.
        const isTaken = status === "accepted" || (status === "submitted" && network_status !== null)
        if (networks[provider].registers !== true || !isTaken) return yield* NotFound.of()
        yield* jobs.offer(CancellationQueue, { ...key, ordered_at: yield* now })
        const data = { einvoice_id: key.id, number }
        yield* auditLog.append({ organization_id, actor, action: "einvoice.cancellation_ordered", data })
      }, transaction)

      const cancel = Effect.fn("RecordedDocuments.cancel")(function* ({
        ordered_at,
        ...key
      }: typeof Cancellation.Type) {
        const facts = yield* Effect.orDie(orNotFound(repo.find(key)))
        const { organization_id, transmission_id } = facts
        const { timezone } = yield* Effect.orDie(organizations.get(organization_id))
        const provider = yield* configured(providers, facts)
        const message = "The network does not support cancelling a document."
        if (provider.cancel === undefined) return yield* new NetworkRefused({ code: "refused", message })
        yield* provider.cancel({ organization_id, transmission_id, timezone, ordered_at: ordered_at ?? (yield* now) })
        // The cancellation may be ordered after the last regular poll of the document.
        yield* polls.enqueue(key, `cancelled:${yield* now}`)
      })

      const compare = Effect.fn("RecordedDocuments.compare")(function* (
        organization_id: OrganizationId,
        month: string
      ) {
        const [compare] = (yield* authoritiesOf(organization_id)).flatMap(({ compare }) => compare ?? [])
        return compare === undefined ? yield* unconnected : yield* compare(month)
      })

      const books = Effect.fn("RecordedDocuments.books")(function* (organization_id: OrganizationId) {
        const [books] = (yield* authoritiesOf(organization_id)).flatMap(({ books }) => books ?? [])
        return books ?? (yield* unconnected)
      })

      const authoritiesOf = Effect.fnUntraced(function* (organization_id: OrganizationId) {
        const authorities = Object.values(networks).filter(({ registers }) => registers === true)
        const found = yield* Effect.forEach(authorities, ({ code }) => providers.find(organization_id, code))
        return found.flatMap((provider) => Option.toArray(provider))
      })

      return RecordedDocuments.of({ record, enqueueCancellation, cancel, compare, books })
    })
  ).pipe(
    Layer.provide([
      Organizations.layer,
      Registrations.layer,
      SubmittedDocuments.layer,
      Submissions.layer,
      EinvoiceNews.layer,
      EinvoicesRepo.layer
    ])
  )
}

const unconnected = ProviderNotConfigured.of(networks.es_verifactu)

const isCountry = Schema.is(CountryCode)

type Registered = Pick<
  Registration,
  "status" | "provider" | "country_code" | "es_sii_registered" | "es_foral_territory"
> &
  ({ readonly roles: Registration["roles"] } | { readonly acts_as_sender: boolean })

export const isRecorded = (registration: Registered): boolean => {
  const { country_code, provider, status } = registration
  const isSender = "roles" in registration ? registration.roles.acts_as_sender : registration.acts_as_sender
  const isExempt = Option.exists(
    einvoicingCountry(country_code),
    ({ exempt }) => (exempt?.(registration) ?? null) !== null
  )
  return status === "active" && isSender && networks[provider].registers === true && !isExempt
}

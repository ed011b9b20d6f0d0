import { Context, Effect, Layer, Option, Predicate } from "effect"
import { SecureRandom } from "effect/crypto"
import type { CreditNote } from "../../billing/credit-notes/CreditNote.ts"
import type { Invoice } from "../../billing/invoices/Invoice.ts"
import { InvoiceLocked } from "../../billing/invoices/InvoiceErrors.ts"
import { easCode } from "../../customers/identifiers/NetworkIdentifier.ts"
import { now, timestampAfter, today } from "../../kernel/Calendar.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"
import type { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { CurrentOperation } from "../../platform/http/CurrentOperation.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { requireOwn } from "../OwnOrganization.ts"
import { einvoicingCountry } from "../countries/Countries.ts"
import { type EinvoicingCountry, isDomestic, routingBetween, usual } from "../countries/EinvoicingCountry.ts"
import { type Form, italianRegime, peppolBis } from "../countries/Form.ts"
import { rome } from "../countries/Italy.ts"
import { madrid } from "../countries/Spain.ts"
import { type Provider, Providers } from "../providers/Provider.ts"
import type { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import type { Registration } from "../records/Registration.ts"
import { ProviderMismatch } from "../registrations/RegistrationErrors.ts"
import { mainAddress } from "../registrations/RegistrationRules.ts"
import { Registrations } from "../registrations/Registrations.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import { einvoiceOf } from "../sources/FromDocument.ts"
import { fatturaRules } from "../fatturapa/FatturaRules.ts"
import { findingsIn } from "../rules/Rules.ts"
import { recordRules } from "../verifactu/RecordRules.ts"
import { type Einvoice, type EinvoiceFacts, shown } from "./Einvoice.ts"
import { submitting_max, TransmissionQueue } from "./EinvoiceQueue.ts"
import { EinvoicesRepo } from "./EinvoicesRepo.ts"
import { makeNewSubmissions } from "./NewSubmissions.ts"
import type { Preflight, Submission } from "./Submission.ts"
import { type DocumentIds, isIssued, SubmittedDocuments } from "./SubmittedDocuments.ts"
import {
  AlreadySubmitted,
  FormatUnsupported,
  InvalidDocument,
  NotRegistered,
  SubmissionFailed
} from "./SubmissionErrors.ts"

type Files = Effect.Success<ReturnType<SubmittedDocuments["Service"]["files"]>>
type Drawable = Effect.Success<ReturnType<SubmittedDocuments["Service"]["draw"]>>
type Misdirected = NotFound | ValidationFailed | ProviderMismatch | ProviderNotConfigured | FormatUnsupported
type Unissued = Effect.Error<ReturnType<SubmittedDocuments["Service"]["issue"]>>
type SubmissionRefused = Misdirected | Unissued | NotRegistered | AlreadySubmitted | InvalidDocument | SubmissionFailed

interface Route {
  readonly sender: Option.Option<Registration>
  readonly form: Form
  readonly routed: EinvoicingCountry["routed"]
}

export class Submissions extends Context.Service<
  Submissions,
  {
    /** Returns the findings that `submit` would return, and changes nothing. */
    readonly validate: (
      submission: Submission
    ) => Effect.Effect<Preflight, Misdirected | InvoiceLocked | StorageUnavailable, CurrentOrganization>
    /** Issues a draft, stores the XML and enqueues its transmission, all in one transaction. */
    readonly submit: (submission: Submission) => Effect.Effect<Einvoice, SubmissionRefused, Caller>
    /**
     * Like `submit`, but does nothing for a draft. If the document breaks a rule, `refuse` runs in the same transaction,
     * and the document stays issued, even if a send that is not finished reaches nobody.
     */
    readonly submitIssued: (
      submission: Submission,
      refuse: (refusal: InvalidDocument) => Effect.Effect<void, never, Caller>
    ) => Effect.Effect<void, Exclude<SubmissionRefused, InvalidDocument>, Caller>
  }
>()("invoicing/einvoicing/documents/Submissions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* EinvoicesRepo
      const documents = yield* SubmittedDocuments
      const registrations = yield* Registrations
      const providers = yield* Providers
      const store = yield* makeNewSubmissions
      const jobs = yield* Jobs
      const { transaction } = yield* Database

      /** Finds the registration of the sender, and the format that the law allows for the document. */
      const routeOf = Effect.fnUntraced(function* (submission: Submission) {
        yield* requireOwn(submission.organization_id)
        const { country, id } = yield* CurrentOrganization
        const sender = yield* registrations.live
        const own = einvoicingCountry(Option.getOrUndefined(sender)?.country_code ?? country)
        if (Option.isNone(own)) return { sender, form: peppolBis.form, routed: usual.routed }
        const { exempt, form: forms, network } = own.value
        if ((submission.provider ?? network) !== network) return yield* ProviderMismatch.of(network)
        yield* providers.require(id, network)
        const to = submission.recipient_country_code
        const offer = isDomestic(own.value, to) ? forms.domestic : forms.abroad
        if (!offer.isWritten) return yield* FormatUnsupported.of(network, offer)
        const reason = Option.isSome(sender) ? (exempt?.(sender.value) ?? null) : null
        if (reason !== null) return yield* FormatUnsupported.of(network, { specification: offer.form.code, reason })
        const route: Route = { sender, form: offer.form, routed: routingBetween(own.value, to) }
        return route
      })

      const drawUp = Effect.fnUntraced(function* ({ parties, source }: Drawable, submission: Submission, route: Route) {
        const { currency } = yield* CurrentOrganization
        const scheme = easCode(submission.recipient_identifier_scheme)
        const address = route.routed({ scheme, value: submission.recipient_identifier_value })
        const recipient = { ...address, country_code: submission.recipient_country_code }
        const sender = Option.getOrNull(Option.map(Option.flatMapNullishOr(route.sender, mainAddress), route.routed))
        const exchange_rate = source.exchange_rate ?? submission.exchange_rate ?? null
        const exchange = { profile: route.form.profile, sender, recipient }
        return einvoiceOf({ ...source, exchange_rate }, parties, exchange, currency)
      })

      const validate = Effect.fn("Submissions.validate")(function* (submission: Submission) {
        const ids = idsOf(submission)
        yield* Effect.annotateCurrentSpan(spanOf(ids))
        const route = yield* routeOf(submission)
        const drawn = yield* documents.draw(ids, yield* documents.files(ids))
        const { document } = drawn
        if (document.status === "void") return yield* InvoiceLocked.change(document)
        return yield* preflight(yield* drawUp(drawn, submission, route), document, route.form)
      })

      const submitNow = Effect.fnUntraced(function* (submission: Submission, files: Files) {
        const { id: organization_id } = yield* CurrentOrganization
        const ids = idsOf(submission)
        // The lock makes the second of two concurrent submissions see the first.
        yield* documents.hold(ids)
        const operation = (yield* CurrentOperation) ?? null
        if (operation !== null) {
          // An earlier request with the same Idempotency-Key may have submitted the document and crashed before its
          // answer. The registration may have ended since, and the network may have refused the document.
          const made = yield* repo.findMade({ organization_id, ...ids, operation })
          if (Option.isSome(made)) return shown(made.value)
        }
        const route = yield* routeOf(submission)
        const sender = Option.filter(route.sender, canSend)
        if (Option.isNone(sender)) return yield* NotRegistered.of()
        const provider = yield* providers.require(organization_id, sender.value.provider)
        // A real network and the sandbox do not know each other's registrations.
        if (sender.value.environment !== provider.environment) return yield* NotRegistered.of()
        const live = yield* repo.findLive({ organization_id, ...ids })
        if (Option.isSome(live)) return yield* AlreadySubmitted.of(live.value)
        const issued = yield* documents.issue(ids, files)
        const einvoice = yield* drawUp(issued, submission, route)
        const checked = yield* preflight(einvoice, issued.document, route.form)
        // `InvalidDocument` rolls the transaction back, so the document is a draft again and its number is free.
        if (!checked.valid) return yield* InvalidDocument.of(checked)
        const facts = yield* pending(submission, einvoice, { ...sender.value, form: route.form }, provider)
        const order = { id: String(facts.id), organization_id }
        yield* jobs.offer(TransmissionQueue, { organization_id, id: facts.id }, order)
        yield* store(facts, operation)
        return shown(facts)
      })

      const pending = Effect.fnUntraced(function* (
        submission: Submission,
        einvoice: EInvoice,
        { environment, form, provider }: Registration & { readonly form: Form },
        network: Provider
      ) {
        const id = yield* repo.nextId
        const { settings, timezone } = yield* CurrentOrganization
        const { organization_id } = submission
        const transmission_id = SecureRandom.uuidV4Unsafe()
        const xml =
          form.write?.(einvoice, { id, settings }) ??
          (yield* network.write?.(einvoice, { organization_id, transmission_id, timezone }) ?? Effect.die(unwritable))
        const created_at = yield* now
        const address = einvoice.seller.electronic_address
        return {
          id,
          organization_id,
          ...idsOf(submission),
          number: einvoice.number,
          provider,
          environment,
          profile: form.code,
          transmission_id,
          sender_scheme: address.scheme ?? "",
          sender_value: address.value,
          recipient: {
            identifier_scheme: einvoice.buyer.electronic_address.scheme ?? "",
            identifier_value: einvoice.buyer.electronic_address.value,
            name: submission.recipient_name,
            country_code: submission.recipient_country_code
          },
          status: "pending",
          network_status: null,
          network_reference: null,
          reason: null,
          retryable: null,
          xml_sha256: sha256Hex(xml),
          xml,
          xml_object_id: null,
          next_poll_at: yield* timestampAfter(submitting_max),
          polls: 0,
          created_at,
          updated_at: created_at
        } satisfies EinvoiceFacts
      })

      const inTransaction = Effect.fnUntraced(function* <A, E, R>(
        ids: DocumentIds,
        work: (files: Files) => Effect.Effect<A, E, R>
      ) {
        yield* Effect.annotateCurrentSpan(spanOf(ids))
        // The file storage may be slow, so the files are read while no transaction holds a connection.
        const files = yield* documents.files(ids)
        return yield* transaction(work(files)).pipe(
          Effect.catchDefect((defect) =>
            // An outage of the database stays a defect, which the service answers with 503.
            Predicate.isTagged(defect, "SqlError")
              ? Effect.die(defect)
              : Effect.andThen(
                  Effect.logError("a document cannot be submitted", ids, defect),
                  Effect.fail(SubmissionFailed.of())
                )
          )
        )
      })

      const submit = Effect.fn("Submissions.submit")((submission: Submission) =>
        inTransaction(idsOf(submission), (files) => submitNow(submission, files))
      )

      const submitIssued: Submissions["Service"]["submitIssued"] = Effect.fn("Submissions.submitIssued")(
        function* (submission, refuse) {
          const ids = idsOf(submission)
          const submitLocked = Effect.fnUntraced(function* (files: Files) {
            yield* documents.hold(ids)
            if (!isIssued(yield* documents.get(ids))) return
            yield* Effect.catchTag(submitNow(submission, files), "InvalidDocument", refuse)
          })
          yield* inTransaction(ids, submitLocked)
        }
      )

      return Submissions.of({ validate, submit, submitIssued })
    })
  ).pipe(Layer.provide([EinvoicesRepo.layer, SubmittedDocuments.layer, Registrations.layer]))
}

const canSend = ({ roles, status }: Registration) => status === "active" && roles.acts_as_sender

const idsOf = ({ credit_note_id = null, invoice_id = null }: Submission): DocumentIds => ({
  credit_note_id,
  invoice_id
})

const spanOf = ({ credit_note_id, invoice_id }: DocumentIds) =>
  invoice_id === null ? { "credit_note.id": credit_note_id } : { "invoice.id": invoice_id }

const unwritable = new Error("Neither the format nor the provider writes the document.")

/** Applies the rules of the form. Two forms have their own rules in place of EN 16931. */
const judged = Effect.fnUntraced(function* (einvoice: EInvoice, customer_id: CustomerId, { profile }: Form) {
  const { settings } = yield* CurrentOrganization
  switch (profile.rules) {
    case "italy":
      return fatturaRules(einvoice, customer_id, italianRegime(einvoice, settings), yield* today(rome))
    case "spain":
      return recordRules(einvoice, customer_id, yield* today(madrid))
    default:
      return findingsIn(einvoice, customer_id)
  }
})

const preflight = Effect.fnUntraced(function* (
  einvoice: EInvoice,
  { currency, customer_id }: Invoice | CreditNote,
  form: Form
) {
  const findings = yield* judged(einvoice, customer_id, form)
  const errors = findings.filter(({ severity }) => severity === "error")
  const text = (amount: EInvoice["totals"]["tax"]) => formatAmount(amount, exponentOf(currency))
  const { payable, tax, tax_exclusive } = einvoice.totals
  const preflight: Preflight = {
    valid: errors.length === 0,
    profile: form.code,
    errors,
    warnings: findings.filter(({ severity }) => severity === "warning"),
    totals: { tax_exclusive: text(tax_exclusive), tax: text(tax), payable: text(payable) }
  }
  return preflight
})

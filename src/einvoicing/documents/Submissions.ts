import { Context, DateTime, Duration, Effect, Layer, Option, Predicate } from "effect"
import { SecureRandom } from "effect/crypto"
import { type Invoice } from "../../billing/invoices/Invoice.ts"
import { type InvoiceLocked, type NonChronological, unknownInvoice } from "../../billing/invoices/InvoiceErrors.ts"
import { Attachments, type EmbeddedFile } from "../../billing/invoices/attachments/Attachments.ts"
import { Invoices } from "../../billing/invoices/Invoices.ts"
import type { NumberTaken } from "../../billing/numbering/NumberTaken.ts"
import { Correspondence } from "../../billing/printing/Correspondence.ts"
import type { CustomerDeleted } from "../../customers/CustomerErrors.ts"
import { easCode } from "../../customers/NetworkIdentifier.ts"
import { now, Timestamp } from "../../kernel/Calendar.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import { formatAmount } from "../../kernel/Money.ts"
import { NotFound, orNotFound, type ValidationFailed } from "../../kernel/Refusal.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { callerEntry, AuditLog } from "../../platform/events/AuditLog.ts"
import { CurrentOperation } from "../../platform/http/CurrentOperation.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Database } from "../../platform/sql/Database.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { requireOwn } from "../OwnOrganization.ts"
import { networkOf, networks, peppol_bis, takesOurs } from "../providers/Network.ts"
import { Providers } from "../providers/Provider.ts"
import type { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import type { Registration } from "../registrations/Registration.ts"
import { ProviderMismatch } from "../registrations/RegistrationErrors.ts"
import { Registrations } from "../registrations/Registrations.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import { einvoiceOf } from "../invoice/FromDocument.ts"
import { peppolBilling } from "../invoice/Profiles.ts"
import { invoiceSource } from "../invoice/Sources.ts"
import { findingsIn } from "../rules/Rules.ts"
import { ublDocument } from "../ubl/UblDocument.ts"
import { type Einvoice, type EinvoiceFacts, shown, without_receipt } from "./Einvoice.ts"
import { TransmissionQueue } from "./EinvoiceQueue.ts"
import { EinvoicesRepo } from "./EinvoicesRepo.ts"
import type { Preflight, Submission } from "./Submission.ts"
import {
  AlreadySubmitted,
  FormatUnsupported,
  InvalidDocument,
  NotRegistered,
  SubmissionFailed
} from "./SubmissionErrors.ts"
import { type BooksLocked } from "../../organizations/BookLock.ts"

/** Longer than all attempts of the job take. After it, a pending submission counts as lost. */
const handing_over_max = Duration.hours(12)

type Misdirected = NotFound | ValidationFailed | ProviderMismatch | FormatUnsupported

/** Validates and submits invoices of the current organization. */
export class Submissions extends Context.Service<
  Submissions,
  {
    /** Returns the findings that `submit` would have, and changes nothing. */
    readonly validate: (
      submission: Submission
    ) => Effect.Effect<Preflight, Misdirected | StorageUnavailable, CurrentOrganization>
    /** Issues a draft, stores the XML and orders its transmission, all in one transaction. */
    readonly submit: (
      submission: Submission
    ) => Effect.Effect<
      Einvoice,
      | Misdirected
      | NotRegistered
      | ProviderNotConfigured
      | AlreadySubmitted
      | InvalidDocument
      | InvoiceLocked
      | NonChronological
      | NumberTaken
      | CustomerDeleted
      | BooksLocked
      | SubmissionFailed
      | StorageUnavailable,
      Caller
    >
  }
>()("invoicing/einvoicing/documents/Submissions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* EinvoicesRepo
      const invoices = yield* Invoices
      const attachments = yield* Attachments
      const correspondence = yield* Correspondence
      const registrations = yield* Registrations
      const providers = yield* Providers
      const auditLog = yield* AuditLog
      const jobs = yield* Jobs
      const { transaction } = yield* Database

      /** Finds the organization's registration on the network of the submission. */
      const registrationFor = Effect.fnUntraced(function* ({ organization_id, provider }: Submission) {
        yield* requireOwn(organization_id)
        const { country } = yield* CurrentOrganization
        const live = yield* registrations.live
        const own = Option.orElse(
          Option.map(live, ({ provider }) => networks[provider]),
          () => networkOf(country)
        )
        if (Option.isNone(own)) return live
        if ((provider ?? own.value.code) !== own.value.code) return yield* ProviderMismatch.of(own.value.code)
        if (!takesOurs(own.value)) return yield* FormatUnsupported.of(own.value)
        return live
      })

      const drawUp = Effect.fnUntraced(function* (
        invoice: Invoice,
        submission: Submission,
        sender: Option.Option<Registration>,
        files: ReadonlyArray<EmbeddedFile>
      ) {
        const { currency } = yield* CurrentOrganization
        const parties = yield* correspondence.on("invoice", invoice, invoice.issued_at === null)
        const recipient = {
          scheme: easCode(submission.recipient_identifier_scheme),
          value: submission.recipient_identifier_value,
          country_code: submission.recipient_country_code
        }
        // A draft has no number yet, so its validation uses the draft reference.
        const source = invoiceSource(invoice, { name: invoice.draft_reference ?? "", files })
        return einvoiceOf(source, parties, { profile: peppolBilling, sender: addressOf(sender), recipient }, currency)
      })

      const validate = Effect.fn("Submissions.validate")(function* (submission: Submission) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": submission.invoice_id })
        const sender = yield* registrationFor(submission)
        const invoice = yield* known(invoices.get(submission.invoice_id))
        return preflight(yield* drawUp(invoice, submission, sender, yield* attachments.embedded(invoice)), invoice)
      })

      const submitNow = Effect.fnUntraced(function* (submission: Submission, files: ReadonlyArray<EmbeddedFile>) {
        const { id: organization_id } = yield* CurrentOrganization
        const { invoice_id } = submission
        const sender = Option.filter(yield* registrationFor(submission), canSend)
        // The lock makes the second of two concurrent submissions see the first.
        yield* invoices.hold([invoice_id])
        yield* known(invoices.get(invoice_id))
        if (Option.isNone(sender)) return yield* NotRegistered.of()
        const { environment } = yield* providers.require(sender.value.provider)
        // A registration with the sandbox is unknown to a real network, and the other way round.
        if (sender.value.environment !== environment) return yield* NotRegistered.of()
        const live = yield* repo.findLive({ organization_id, invoice_id })
        const operation = (yield* CurrentOperation) ?? null
        if (Option.isSome(live)) {
          const { id } = live.value
          if (operation === null || live.value.operation !== operation) return yield* AlreadySubmitted.of(live.value)
          // An earlier request with the same Idempotency-Key submitted the invoice, but crashed before its answer.
          return shown(yield* orNotFound(repo.find({ organization_id, id })))
        }
        const invoice = yield* known(invoices.issue(invoice_id))
        const read = files.map(({ attachment }) => attachment.id)
        // A concurrent change of the draft embeds other files than those that were read before this transaction.
        if (read.join() !== (invoice.embedded_attachment_ids ?? []).join()) return yield* StorageUnavailable.of()
        const einvoice = yield* drawUp(invoice, submission, sender, files)
        const checked = preflight(einvoice, invoice)
        // The failure rolls the transaction back, so the invoice is a draft again and its number is free.
        if (!checked.valid) return yield* InvalidDocument.of(checked)
        const facts = yield* pending(submission, einvoice, sender.value)
        yield* repo.insert(facts, operation)
        yield* repo.addMessage(facts, madeHere(facts))
        yield* jobs.offer(TransmissionQueue, { organization_id, id: facts.id }, { id: String(facts.id) })
        const data = { einvoice_id: facts.id, invoice_id, number: facts.number, xml_sha256: facts.xml_sha256 }
        yield* auditLog.append(yield* callerEntry("einvoice.created", data))
        return shown(facts)
      })

      const pending = Effect.fnUntraced(function* (
        { invoice_id, organization_id, ...submission }: Submission,
        einvoice: EInvoice,
        { environment, provider }: Registration
      ) {
        const xml = ublDocument(einvoice)
        const created_at = yield* now
        const address = einvoice.seller.electronic_address
        return {
          id: yield* repo.nextId,
          organization_id,
          invoice_id,
          number: einvoice.number,
          provider,
          environment,
          profile: peppol_bis,
          transmission_id: SecureRandom.uuidV4Unsafe(),
          sender_scheme: address.scheme ?? "",
          sender_value: address.value,
          recipient: {
            identifier_scheme: easCode(submission.recipient_identifier_scheme),
            identifier_value: submission.recipient_identifier_value,
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
          next_poll_at: Timestamp.make(DateTime.formatIso(DateTime.addDuration(yield* DateTime.now, handing_over_max))),
          polls: 0,
          created_at,
          updated_at: created_at
        } satisfies EinvoiceFacts
      })

      const submit = Effect.fn("Submissions.submit")(function* (submission: Submission) {
        yield* Effect.annotateCurrentSpan({ "invoice.id": submission.invoice_id })
        // The storage may be slow, so its files are read while no transaction holds a connection.
        const files = yield* attachments.embedded(yield* known(invoices.get(submission.invoice_id)))
        return yield* transaction(submitNow(submission, files)).pipe(
          Effect.catchDefect((defect) =>
            // An outage of the database is answered with 503.
            Predicate.isTagged(defect, "SqlError")
              ? Effect.die(defect)
              : Effect.andThen(
                  Effect.logError(`invoice ${submission.invoice_id} cannot be submitted`, defect),
                  Effect.fail(SubmissionFailed.of())
                )
          )
        )
      })

      return Submissions.of({ validate, submit })
    })
  ).pipe(
    Layer.provide([EinvoicesRepo.layer, Invoices.layer, Attachments.layer, Correspondence.layer, Registrations.layer])
  )
}

const canSend = ({ roles, status }: Registration) => status === "active" && roles.acts_as_sender

/** An unknown invoice in the body is an invalid field. */
const known = <A, E, R>(found: Effect.Effect<A, E | NotFound, R>) =>
  Effect.catchIf(
    found,
    (error): error is Extract<E | NotFound, NotFound> => error instanceof NotFound,
    () => Effect.fail(unknownInvoice())
  )

const addressOf = (sender: Option.Option<Registration>) =>
  Option.getOrNull(
    Option.flatMapNullishOr(sender, ({ identifiers: [main] }) =>
      main === undefined ? null : { scheme: easCode(main.scheme), value: main.identifier }
    )
  )

const preflight = (einvoice: EInvoice, { currency, customer_id }: Invoice): Preflight => {
  const findings = findingsIn(einvoice, customer_id)
  const errors = findings.filter(({ severity }) => severity === "error")
  const text = (amount: EInvoice["totals"]["tax"]) => formatAmount(amount, exponentOf(currency))
  const { payable, tax, tax_exclusive } = einvoice.totals
  return {
    valid: errors.length === 0,
    profile: peppol_bis,
    errors,
    warnings: findings.filter(({ severity }) => severity === "warning"),
    totals: { tax_exclusive: text(tax_exclusive), tax: text(tax), payable: text(payable) }
  }
}

/** The first entry of the history. */
const madeHere = ({ created_at }: EinvoiceFacts) => ({
  message_id: "created",
  at: created_at,
  status: "pending" as const,
  code: null,
  source: "service",
  ...without_receipt
})

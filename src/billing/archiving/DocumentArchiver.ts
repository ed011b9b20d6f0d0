import { Clock, Context, Effect, Layer, Option, Schema, Stream, Struct } from "effect"
import type { ArchivedDocument, Deposit, DepositKey } from "../../archive/deposits/Deposit.ts"
import { Deposits, overdue_max } from "../../archive/deposits/Deposits.ts"
import { asSystem } from "../../organizations/AsSystem.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { noClientData } from "../../kernel/ClientData.ts"
import { compiled } from "../../kernel/Compiled.ts"
import { InvoiceId } from "../../kernel/Ids.ts"
import type { PdfUnavailable } from "../../platform/documents/pdf/PdfErrors.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { PermanentFailure } from "../../platform/jobs/PermanentFailure.ts"
import { eachBatch } from "../../platform/jobs/InBatches.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Spool } from "../../platform/storage/Spool.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import type { CreditNoteFacts } from "../credit-notes/CreditNote.ts"
import { type CreditNotePrint, creditNoteTemplate } from "../printing/documents/CreditNotePdfDocument.ts"
import { DocumentPrinter } from "../printing/DocumentPrinter.ts"
import { EmbeddedInvoice } from "../printing/EmbeddedInvoice.ts"
import { CorrespondenceRepo } from "../correspondence/CorrespondenceRepo.ts"
import { complete, InvoiceFacts } from "../invoices/Invoice.ts"
import { AttachmentArchiver } from "../invoices/attachments/AttachmentArchiver.ts"
import { invoicePdf, invoiceTemplate } from "../printing/documents/InvoicePdfDocument.ts"
import { ClearanceStamps } from "../printing/ClearanceStamps.ts"
import { sending_time_max } from "../sending/DocumentSendsRepo.ts"
import { type ArchivingJob, ArchivingQueue } from "./ArchivingQueue.ts"
import { IssuedDocuments } from "./IssuedDocuments.ts"

const again_ms = 60 * 60 * 1000

const templates = { invoice: invoiceTemplate, credit_note: creditNoteTemplate }

/**
 * The fields of an invoice from which the archiving job makes the PDF. An issued invoice is never void, and no document
 * shows `external_id` and `metadata`, so these fields are omitted.
 */
const IssuedFacts = Schema.Struct(Struct.omit(InvoiceFacts.fields, ["voided_at", "external_id", "metadata"]))
const FactsJson = Schema.toCodecJson(compiled(Schema.toType(IssuedFacts)))
const encodeFacts = Schema.encodeEffect(FactsJson)
const decodeFacts = Schema.decodeUnknownEffect(FactsJson)

/** The stored content of a credit note: the input of the PDF template, and the XML to embed. */
const NotePrint = Schema.StructWithRest(Schema.Struct({ xml: Schema.NullOr(Schema.String) }), [
  Schema.Record(Schema.String, Schema.Unknown)
])
const decodeNote = Effect.fnUntraced(function* (print: unknown) {
  const { xml, ...page } = yield* Schema.decodeUnknownEffect(NotePrint)(print)
  return { page, xml: Option.fromNullOr(xml) }
})

/**
 * The part of an audit entry which states that the document must be archived. A proof of the archive (rules/archive.md)
 * reports a document that has such an entry but was not archived.
 */
type ArchiveOrder = { readonly archive?: "ordered" }
const ordered: ArchiveOrder = { archive: "ordered" }

/**
 * Requests the archiving of documents as they were issued. A job makes the PDF, because no transaction may wait for it.
 */
export class DocumentArchiver extends Context.Service<
  DocumentArchiver,
  {
    /**
     * Must run in the transaction that issues the invoice. The caller adds the result to the audit entry. With
     * `once_sent`, archiving waits until `release` is called, or until `sending_time_max` has passed.
     */
    readonly depositInvoice: (
      invoice: InvoiceFacts & { readonly number: string },
      when: "now" | "once_sent"
    ) => Effect.Effect<ArchiveOrder, never, CurrentOrganization>
    /** Must run in the transaction that sends the note. The caller adds the result to the audit entry. */
    readonly depositCreditNote: (
      note: CreditNoteFacts,
      print: CreditNotePrint
    ) => Effect.Effect<ArchiveOrder, never, CurrentOrganization>
    readonly release: (document: ArchivedDocument) => Effect.Effect<void, never, CurrentOrganization>
    /**
     * Prevents the archiving of a document that becomes a draft again. Returns false if the document is already
     * archived, and so must stay issued.
     */
    readonly hold: (
      document: ArchivedDocument & { readonly number: string }
    ) => Effect.Effect<boolean, never, CurrentOrganization>
    /** Cancels the archiving. Must run in the transaction that makes the document a draft again. */
    readonly withdraw: (document: ArchivedDocument) => Effect.Effect<void, never, CurrentOrganization>
    /**
     * Makes and stores the PDF of a document that waits for archiving, then archives the document's attachments. Fails
     * with `PermanentFailure` when the document is too complex for a PDF; an operator may retry the job.
     */
    readonly archive: (job: ArchivingJob) => Effect.Effect<void, PdfUnavailable | PermanentFailure | StorageUnavailable>
    /** Enqueues a new job for each document that is still not archived although its job has used all its attempts. */
    readonly resume: Effect.Effect<void>
  }
>()("invoicing/billing/archiving/DocumentArchiver") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const deposits = yield* Deposits
      const attachments = yield* AttachmentArchiver
      const correspondence = yield* CorrespondenceRepo
      const jobs = yield* Jobs
      const organizations = yield* Organizations
      const embedded = yield* EmbeddedInvoice
      const issued = yield* IssuedDocuments
      const stamps = yield* ClearanceStamps
      const printer = yield* DocumentPrinter
      const spool = yield* Spool

      const offer = Effect.fnUntraced(function* (
        document: ArchivedDocument & Pick<ArchivingJob, "ordered_at">,
        delayed?: { readonly delay: typeof sending_time_max }
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        yield* jobs.offer(ArchivingQueue, { ...document, organization_id }, delayed)
      })

      const depositInvoice = Effect.fn("DocumentArchiver.depositInvoice")(function* (
        invoice: InvoiceFacts & { readonly number: string },
        when: "now" | "once_sent"
      ) {
        const { currency, customer, id: document_id, issue_date, number, total: amount } = invoice
        const document = { document_type: "invoice", document_id } as const
        const delayed = when === "now" ? undefined : ({ delay: sending_time_max } as const)
        yield* issued.announce(document, delayed)
        if (!(yield* deposits.isOpen)) return {}
        const print = yield* Effect.orDie(encodeFacts(invoice))
        const facts = { number, counterparty_name: customer.name, issue_date, amount, currency }
        const ordered_at = yield* deposits.insert({ ...document, ...facts, print })
        yield* offer({ ...document, ordered_at }, delayed)
        return ordered
      })

      const depositCreditNote = Effect.fn("DocumentArchiver.depositCreditNote")(function* (
        note: CreditNoteFacts,
        print: CreditNotePrint
      ) {
        const { currency, customer, id: document_id, issue_date, number, total: amount } = note
        const document = { document_type: "credit_note", document_id } as const
        yield* issued.announce(document)
        if (number === null || issue_date === null || !(yield* deposits.isOpen)) return {}
        const facts = { number, counterparty_name: customer.name, issue_date, amount, currency }
        const ordered_at = yield* deposits.insert({ ...document, ...facts, print })
        yield* offer({ ...document, ordered_at })
        return ordered
      })

      const release = Effect.fn("DocumentArchiver.release")(function* (document: ArchivedDocument) {
        yield* issued.announce(document)
        if (yield* deposits.isOpen) yield* offer(document)
      })

      const printed = Effect.fnUntraced(function* ({
        document_id,
        document_type,
        organization_id,
        number,
        print
      }: Deposit) {
        if (document_type === "credit_note") return yield* Effect.orDie(decodeNote(print))
        const facts = { ...(yield* Effect.orDie(decodeFacts(print))), ...noClientData, voided_at: null }
        const { customer_id, issue_date } = facts
        const document = { organization_id, document: document_type, document_id, customer_id, draft: false }
        // `complete` needs a day only to tell whether the invoice is overdue, which is not printed.
        const invoice = { ...complete(facts, issue_date), draft_reference: number }
        const parties = yield* correspondence.find(document)
        const organization = yield* Effect.orDie(organizations.get(organization_id))
        const xml = yield* asSystem(organization)(embedded.xml({ kind: "invoice", document: invoice, parties }))
        const tax_qr = Option.getOrNull(
          yield* asSystem(organization)(stamps.qr({ ...invoice, kind: "invoice" }, parties))
        )
        return { page: invoicePdf({ invoice, ...parties, tax_qr }), xml }
      })

      const fulfil = Effect.fnUntraced(function* (deposit: Deposit) {
        const { page, xml } = yield* printed(deposit)
        const made = printer.print(templates[deposit.document_type], page, xml, deposit.organization_id)
        const bytes = yield* Effect.catchTag(made, "PdfTooComplex", (cause) =>
          Effect.andThen(deposits.setAside(deposit), new PermanentFailure({ cause }))
        )
        yield* deposits.fulfil(deposit, yield* spool.keep(Stream.succeed(bytes)))
      }, Effect.scoped)

      const archive = Effect.fn("DocumentArchiver.archive")(function* ({ ordered_at, ...key }: ArchivingJob) {
        const { document_id, document_type, organization_id } = key
        const found = yield* deposits.find(key)
        const isOrdered = Option.isSome(found) && (ordered_at ?? found.value.ordered_at) === found.value.ordered_at
        if (isOrdered) yield* fulfil(found.value)
        // An earlier attempt may have crashed after it archived the PDF, so the attachments of an invoice are archived
        // in any case.
        if (document_type === "credit_note") return
        yield* attachments.archive({ organization_id, invoice_id: InvoiceId.make(document_id) })
      })

      const resume = Effect.gen(function* () {
        const hour = Math.floor((yield* Clock.currentTimeMillis) / again_ms)
        const enqueue = ({ document_id, document_type, organization_id }: DepositKey) => {
          const id = `${document_type}-${document_id}-${hour}`
          return jobs.offer(ArchivingQueue, { document_id, document_type, organization_id }, { id })
        }
        yield* eachBatch(overdue_max, deposits.overdue, (found) => Effect.forEach(found, enqueue, { discard: true }))
      }).pipe(Effect.withSpan("DocumentArchiver.resume"))

      const { hold, withdraw } = deposits
      return DocumentArchiver.of({ depositInvoice, depositCreditNote, release, hold, withdraw, archive, resume })
    })
  ).pipe(
    Layer.provide([
      Deposits.layer,
      AttachmentArchiver.layer,
      CorrespondenceRepo.layer,
      DocumentPrinter.layer,
      Organizations.layer
    ])
  )
}

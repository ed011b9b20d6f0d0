import { Context, Duration, Effect, FileSystem, Layer, Option } from "effect"
import type { ArchiveIncident } from "../../archive/ArchiveErrors.ts"
import type { KeptPaper } from "../../archive/objects/Transmission.ts"
import { Transmissions } from "../../archive/transmissions/Transmissions.ts"
import { now, timestampAfter } from "../../kernel/Calendar.ts"
import type { EinvoiceId } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { asSystem } from "../../organizations/AsSystem.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { AuditLog, callerEntry } from "../../platform/events/AuditLog.ts"
import type { Upload, UploadRefused } from "../../platform/http/Upload.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Database } from "../../platform/sql/Database.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { Providers } from "../providers/Provider.ts"
import type { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import type { SignedFile } from "../providers/Signing.ts"
import {
  awaiting_signature,
  awaitsSignature,
  type Einvoice,
  type EinvoiceFacts,
  keyOf,
  shown,
  withReceipt
} from "../documents/Einvoice.ts"
import { EinvoiceNews } from "./EinvoiceNews.ts"
import { EinvoicePapers } from "./EinvoicePapers.ts"
import { submitting_max, TransmissionQueue } from "../documents/EinvoiceQueue.ts"
import { EinvoicesRepo } from "../documents/EinvoicesRepo.ts"
import { NotAwaitingSignature, SignatureRefused } from "../documents/SubmissionErrors.ts"
import { SubmittedDocuments } from "../documents/SubmittedDocuments.ts"

/** Time to sign a document. Afterwards the submission fails, and the document can be submitted again. */
const signing_max = Duration.days(30)

/** Signs documents for which the law requires a signature, or waits until the organization has signed them. */
export class EinvoiceSignatures extends Context.Service<
  EinvoiceSignatures,
  {
    readonly wait: (facts: EinvoiceFacts) => Effect.Effect<void>
    /**
     * Archives a signed file and its certificate in place of the document. Returns none if the document no longer needs
     * a signature.
     */
    readonly take: (
      facts: EinvoiceFacts,
      file: SignedFile
    ) => Effect.Effect<Option.Option<EinvoiceFacts>, StorageUnavailable>
    /** Checks the file that the organization has signed, accepts it, and enqueues the transmission. */
    readonly handIn: <R>(
      id: EinvoiceId,
      form: Effect.Effect<Upload, UploadRefused, R>
    ) => Effect.Effect<
      Einvoice,
      | NotFound
      | UploadRefused
      | NotAwaitingSignature
      | SignatureRefused
      | ProviderNotConfigured
      | ArchiveIncident
      | StorageUnavailable,
      R | Caller
    >
  }
>()("invoicing/einvoicing/transmissions/EinvoiceSignatures") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* EinvoicesRepo
      const documents = yield* SubmittedDocuments
      const news = yield* EinvoiceNews
      const papers = yield* EinvoicePapers
      const archive = yield* Transmissions
      const providers = yield* Providers
      const auditLog = yield* AuditLog
      const jobs = yield* Jobs
      const files = yield* FileSystem.FileSystem
      const organizations = yield* Organizations
      const { transaction } = yield* Database

      const hold = Effect.fnUntraced(function* (facts: EinvoiceFacts) {
        const organization = yield* organizations.get(facts.organization_id)
        yield* asSystem(organization)(documents.hold(facts))
      }, Effect.orDie)

      const wait: EinvoiceSignatures["Service"]["wait"] = Effect.fn("EinvoiceSignatures.wait")(function* (facts) {
        const { xml_object_id: archive_object_id, xml_sha256: receipt_sha256 } = facts
        const receipt = { receipt_type: "unsigned_document", receipt_sha256, archive_object_id }
        const at = yield* now
        yield* news.record(keyOf(facts), {
          progress: null,
          message: { message_id: "unsigned", at, code: awaiting_signature, source: "service", ...receipt },
          changes: { next_poll_at: yield* timestampAfter(signing_max) },
          exchange: null
        })
      })

      const replace = Effect.fnUntraced(function* <R>(
        facts: EinvoiceFacts,
        [document, signer]: readonly [KeptPaper, KeptPaper],
        andThen: Effect.Effect<void, never, R>
      ) {
        // Every transaction locks invoices before submissions, so that transactions do not deadlock.
        yield* hold(facts)
        const current = yield* repo.lock(facts)
        if (current.status !== "pending" || current.xml_object_id !== facts.xml_object_id) return Option.none()
        const { object_id: xml_object_id, sha256: xml_sha256 } = document
        yield* repo.replace({ ...keyOf(facts), xml_object_id, xml_sha256 })
        const message = { at: yield* now, source: "service" }
        yield* news.record(keyOf(facts), {
          progress: null,
          message: { ...message, message_id: "signed", code: signed, ...withReceipt("signed_document", document) },
          changes: { next_poll_at: yield* timestampAfter(submitting_max) },
          exchange: null
        })
        yield* news.record(keyOf(facts), {
          progress: null,
          message: { ...message, message_id: "signer", code: null, ...withReceipt("signer_certificate", signer) },
          exchange: null
        })
        yield* andThen
        return Option.some(yield* repo.lock(facts))
      }, transaction)

      const taken = Effect.fnUntraced(function* <R>(
        facts: EinvoiceFacts,
        { bytes, certificate, content_type }: SignedFile,
        andThen: Effect.Effect<void, never, R>
      ) {
        const document = yield* papers.keep(facts, { ...outbound, object_kind: "ubl_xml", content_type }, bytes)
        const pem = new TextEncoder().encode(certificate)
        const signer = yield* papers.keep(facts, { ...outbound, object_kind: "evidence", content_type: pem_type }, pem)
        return yield* replace(facts, [document, signer], andThen)
      })

      const take = Effect.fn("EinvoiceSignatures.take")((facts: EinvoiceFacts, file: SignedFile) =>
        taken(facts, file, Effect.void)
      )

      const contentOf = Effect.fnUntraced(function* ({ file }: Upload) {
        if (file === undefined) return yield* ValidationFailed.field("file", "is required.")
        return yield* files.readFile(file.path).pipe(
          Effect.tapError((error) => Effect.logError("an uploaded file cannot be read", error)),
          Effect.mapError(() => StorageUnavailable.of())
        )
      })

      const handIn = Effect.fn("EinvoiceSignatures.handIn")(function* <R>(
        id: EinvoiceId,
        form: Effect.Effect<Upload, UploadRefused, R>
      ) {
        yield* Effect.annotateCurrentSpan({ "einvoice.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        const facts = yield* orNotFound(repo.find({ organization_id, id }))
        const { environment, provider: code, xml_object_id, xml_sha256 } = facts
        const { signing } = yield* providers.require(organization_id, code, environment)
        const bytes = yield* contentOf(yield* form)
        if (!awaitsSignature(facts) || xml_object_id === null || signing === undefined) {
          // A client that lost the answer may send the same file again and gets the same answer.
          return sha256Hex(bytes) === xml_sha256 ? shown(facts) : yield* NotAwaitingSignature.of(facts)
        }
        const xml = yield* archive.read({ organization_id, id: xml_object_id })
        const fitting = yield* signing.check(xml, bytes).pipe(Effect.mapError((error) => SignatureRefused.of(error)))
        const entry = yield* callerEntry("einvoice.signed", { einvoice_id: id, sha256: sha256Hex(fitting.bytes) })
        const order = jobs.offer(TransmissionQueue, { organization_id, id }, { id: `${id}:signed` })
        const done = yield* taken(facts, fitting, Effect.andThen(order, auditLog.append(entry)))
        // A concurrent request may have uploaded another file.
        if (Option.isNone(done)) return yield* NotAwaitingSignature.of(facts)
        return shown(done.value)
      })

      return EinvoiceSignatures.of({ wait, take, handIn })
    })
  ).pipe(
    Layer.provide([EinvoicesRepo.layer, SubmittedDocuments.layer, EinvoiceNews.layer, EinvoicePapers.layer]),
    Layer.provide([Organizations.layer, Transmissions.layer])
  )
}

/** The `network_status` of a document that is signed and about to be sent. */
const signed = "SIGNED"

const outbound = { direction: "outbound" } as const
const pem_type = "application/x-pem-file"

import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { easCode } from "../../customers/identifiers/NetworkIdentifier.ts"
import { now } from "../../kernel/Calendar.ts"
import { cut } from "../../kernel/Text.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { Database } from "../../platform/sql/Database.ts"
import { verifactuForm } from "../countries/Form.ts"
import { type EinvoiceFacts, without_receipt } from "../documents/Einvoice.ts"
import { EinvoicesRepo } from "../documents/EinvoicesRepo.ts"
import { makeNewSubmissions } from "../documents/NewSubmissions.ts"
import type { Submission } from "../documents/Submission.ts"
import type { InvalidDocument } from "../documents/SubmissionErrors.ts"
import type { Registration } from "../records/Registration.ts"
import { mainAddress } from "../registrations/RegistrationRules.ts"
import { EinvoiceNews } from "../transmissions/EinvoiceNews.ts"
import { margin_rule } from "../verifactu/RecordRules.ts"

const rules_characters_max = 800
const final = "An issued document cannot be changed, so it stays without a record."
/** Nothing was written, because the document breaks the rules of the authority. */
const no_xml = ""

/** Stores a failed submission of a document that has no record, so that the organization learns about it. */
export const makeRefusedRecords = Effect.gen(function* () {
  const repo = yield* EinvoicesRepo
  const news = yield* EinvoiceNews
  const store = yield* makeNewSubmissions
  const { transaction } = yield* Database

  return Effect.fn("RefusedRecords.store")(function* (
    submission: Submission,
    number: string,
    registration: Registration,
    { details }: InvalidDocument
  ) {
    const { credit_note_id = null, invoice_id = null, organization_id } = submission
    const { environment, provider } = registration
    const sender = mainAddress(registration)
    const id = yield* repo.nextId
    const created_at = yield* now
    const facts: EinvoiceFacts = {
      id,
      organization_id,
      invoice_id,
      credit_note_id,
      number,
      provider,
      environment,
      profile: verifactuForm.form.code,
      transmission_id: SecureRandom.uuidV4Unsafe(),
      sender_scheme: sender?.scheme ?? "",
      sender_value: sender?.value ?? "",
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
      xml_sha256: sha256Hex(no_xml),
      xml: no_xml,
      xml_object_id: null,
      next_poll_at: null,
      polls: 0,
      created_at,
      updated_at: created_at
    }
    yield* store(facts, null)
    const rules = details.errors.map(({ message, rule }) => `${rule}: ${message}`).join(" ")
    // No correction of a sale under a margin scheme could be recorded, either.
    const isMargin = details.errors.some(({ rule }) => rule === margin_rule)
    const advice = invoice_id === null || isMargin ? final : `${final} Credit the invoice, and issue a corrected one.`
    yield* news.record(facts, {
      progress: "failed",
      message: {
        message_id: "refused",
        at: created_at,
        code: "invalid_document",
        source: "service",
        ...without_receipt
      },
      changes: { reason: `${cut(rules, rules_characters_max)} ${advice}`, retryable: false },
      exchange: null
    })
  }, transaction)
})

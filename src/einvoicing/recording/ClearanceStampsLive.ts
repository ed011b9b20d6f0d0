import { Effect, Layer, Option } from "effect"
import { ClearanceStamps, type NetworkRecord, type RecordableDocument } from "../../billing/printing/ClearanceStamps.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { networks } from "../providers/Network.ts"
import { ConnectionsRepo } from "../providers/connections/ConnectionsRepo.ts"
import type { StoredRegistration } from "../records/Registration.ts"
import { RegistrationsRepo } from "../registrations/RegistrationsRepo.ts"
import { local_adapter } from "../verifactu/AeatSettings.ts"
import { RecordsRepo } from "../verifactu/RecordsRepo.ts"
import { taxQrOf } from "../verifactu/TaxQrCode.ts"
import { EinvoicesRepo } from "../documents/EinvoicesRepo.ts"
import { isRecorded } from "./RecordedDocuments.ts"

/** Finds the tax authority's stamp and the QR code that a printed document shows. */
export const ClearanceStampsLive = Layer.effect(
  ClearanceStamps,
  Effect.gen(function* () {
    const repo = yield* EinvoicesRepo
    const registrations = yield* RegistrationsRepo
    const connections = yield* ConnectionsRepo
    const records = yield* RecordsRepo

    const find = Effect.fn("ClearanceStamps.find")(function* ({ id, kind }: Parameters<Find>[0]) {
      // No network accepts quotes.
      if (kind === "quote") return Option.none()
      const { id: organization_id } = yield* CurrentOrganization
      return Option.map(yield* repo.findRecord({ organization_id, ...idsOf({ id, kind }) }), recordOf)
    })

    /**
     * Finds the record of a document. A document without a record gets one if the registration was active at its issue
     * and still is. The time of the approval tells this, because an approval after a suspension replaces that time.
     */
    const sourceOf = Effect.fnUntraced(function* ({ id, issued_at, kind }: RecordableDocument) {
      const { id: organization_id } = yield* CurrentOrganization
      const record = yield* records.ofDocument({ organization_id, ...idsOf({ id, kind }) })
      if (Option.isSome(record)) {
        const { environment, has_record, is_kept } = record.value
        // A document that breaks the rules of the AEAT never gets a record.
        return has_record ? Option.some({ environment, is_kept }) : Option.none()
      }
      const isSince = ({ approved_at }: StoredRegistration) =>
        approved_at !== null && (issued_at === null || issued_at >= approved_at)
      const registration = Option.filter(yield* registrations.findCurrent(organization_id), isRecorded)
      return Option.map(Option.filter(registration, isSince), ({ environment }) => ({ environment, is_kept: null }))
    })

    const keepsRecords = Effect.gen(function* () {
      const { id: organization_id } = yield* CurrentOrganization
      const connection = yield* connections.find({ organization_id, provider: "es_verifactu" })
      return Option.exists(connection, ({ adapter }) => adapter === local_adapter)
    })

    const qr: ClearanceStamps["Service"]["qr"] = Effect.fn("ClearanceStamps.qr")(function* (document, parties) {
      const source = yield* sourceOf(document)
      if (Option.isNone(source)) return Option.none()
      const { environment, is_kept } = source.value
      const isSent = !(is_kept ?? (yield* keepsRecords))
      return Option.fromNullOr(taxQrOf(document, parties.organization.tax_number, { environment, isSent }))
    })

    return { find, qr }
  })
).pipe(Layer.provide([EinvoicesRepo.layer, RegistrationsRepo.layer, ConnectionsRepo.layer, RecordsRepo.layer]))

const idsOf = ({ id, kind }: Pick<RecordableDocument, "id" | "kind">) =>
  kind === "invoice" ? { invoice_id: id, credit_note_id: null } : { invoice_id: null, credit_note_id: id }

type Find = ClearanceStamps["Service"]["find"]
type Found = Option.Option.Value<Effect.Success<ReturnType<EinvoicesRepo["Service"]["findRecord"]>>>

/** Returns a stamp only if a tax authority has cleared the document. Only networks of the model `clearance` do so. */
const recordOf = ({ environment, network_reference, provider, sent_at, status }: Found): NetworkRecord => {
  const cleared = networks[provider].model === "clearance" && status !== "submitted" && status !== "rejected"
  return {
    sandbox: environment === "sandbox",
    stamp:
      cleared && network_reference !== null && sent_at !== null
        ? { identifier: network_reference, stamped_at: sent_at, seal: null, qr: null }
        : null
  }
}

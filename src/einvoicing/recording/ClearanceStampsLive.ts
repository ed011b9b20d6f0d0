import { Effect, Layer, Option } from "effect"
import { ClearanceStamps, type NetworkRecord } from "../../billing/printing/ClearanceStamps.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { networks } from "../providers/Network.ts"
import { ConnectionsRepo } from "../providers/connections/ConnectionsRepo.ts"
import { RegistrationsRepo } from "../registrations/RegistrationsRepo.ts"
import { local_adapter } from "../verifactu/AeatSettings.ts"
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

    const find = Effect.fn("ClearanceStamps.find")(function* ({ id, kind }: Parameters<Find>[0]) {
      // No network accepts quotes.
      if (kind === "quote") return Option.none()
      const { id: organization_id } = yield* CurrentOrganization
      const [invoice_id, credit_note_id] = kind === "invoice" ? [id, null] : [null, id]
      return Option.map(yield* repo.findRecord({ organization_id, invoice_id, credit_note_id }), recordOf)
    })

    const qr: ClearanceStamps["Service"]["qr"] = Effect.fn("ClearanceStamps.qr")(function* (document, parties) {
      const { id: organization_id } = yield* CurrentOrganization
      const registration = Option.filter(yield* registrations.findCurrent(organization_id), isRecorded)
      if (Option.isNone(registration)) return Option.none()
      const { environment, provider } = registration.value
      const connection = yield* connections.find({ organization_id, provider })
      const isSent = !Option.exists(connection, ({ adapter }) => adapter === local_adapter)
      return Option.fromNullOr(taxQrOf(document, parties.organization.tax_number, { environment, isSent }))
    })

    return { find, qr }
  })
).pipe(Layer.provide([EinvoicesRepo.layer, RegistrationsRepo.layer, ConnectionsRepo.layer]))

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

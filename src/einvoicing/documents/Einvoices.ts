import { Context, Effect, Layer } from "effect"
import type { EinvoiceId } from "../../kernel/Ids.ts"
import { type Listing, mapRows } from "../../kernel/Listing.ts"
import { NotFound, orNotFound } from "../../kernel/Refusal.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { type Einvoice, type EinvoiceProgress, type EinvoicesQuery, type Evidence, shown } from "./Einvoice.ts"
import { EinvoicesRepo } from "./EinvoicesRepo.ts"

export class Einvoices extends Context.Service<
  Einvoices,
  {
    readonly list: (query: EinvoicesQuery) => Effect.Effect<Listing<Einvoice>, never, CurrentOrganization>
    readonly get: (id: EinvoiceId) => Effect.Effect<Einvoice, NotFound, CurrentOrganization>
    readonly status: (id: EinvoiceId) => Effect.Effect<EinvoiceProgress, NotFound, CurrentOrganization>
    /** Returns the receipts of a submission; fails with NotFound before the first receipt. */
    readonly evidence: (id: EinvoiceId) => Effect.Effect<Evidence, NotFound, CurrentOrganization>
  }
>()("invoicing/einvoicing/documents/Einvoices") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* EinvoicesRepo

      const list = Effect.fn("Einvoices.list")(function* (query: EinvoicesQuery) {
        return mapRows(yield* repo.list((yield* CurrentOrganization).id, query), shown)
      })

      const find = Effect.fnUntraced(function* (id: EinvoiceId) {
        yield* Effect.annotateCurrentSpan({ "einvoice.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.find({ organization_id, id }))
      })

      const get = Effect.fn("Einvoices.get")((id: EinvoiceId) => Effect.map(find(id), shown))

      const status = Effect.fn("Einvoices.status")(function* (id: EinvoiceId) {
        const { environment, network_status, organization_id, status } = yield* find(id)
        const messages = yield* repo.messages({ organization_id, id })
        const history = messages.map(({ at, code, source, status }) => ({ at, status, code, source }))
        return { status, network_status, environment, history }
      })

      const evidence = Effect.fn("Einvoices.evidence")(function* (id: EinvoiceId) {
        const { environment, organization_id, xml_sha256 } = yield* find(id)
        const messages = yield* repo.messages({ organization_id, id })
        const receipts = messages.flatMap(({ archive_object_id, at, receipt_sha256: sha256, receipt_type: type }) =>
          type === null || sha256 === null || archive_object_id === null
            ? []
            : [{ type, at, sha256, archive_object_id }]
        )
        if (receipts.length === 0) return yield* NotFound.of()
        return { document_id: id, environment, xml_sha256, receipts }
      })

      return Einvoices.of({ list, get, status, evidence })
    })
  ).pipe(Layer.provide(EinvoicesRepo.layer))
}

import { Context, Effect, Layer } from "effect"
import type { DocumentKind } from "../../../kernel/DocumentKind.ts"
import { limitOf, offsetOf, type PageRequest, type PageRows } from "../../../kernel/Envelope.ts"
import { CurrentOrganization } from "../../../platform/http/Security.ts"
import { deliveryOf } from "../DocumentSendsRepo.ts"
import type { DocumentDelivery } from "../Send.ts"
import { DocumentDeliveriesRepo } from "./DocumentDeliveriesRepo.ts"

/** The latest message of a document to each of its recipients. The result of a message is kept for 30 days. */
export class DocumentDeliveries extends Context.Service<
  DocumentDeliveries,
  {
    /** The caller checks that the document exists. */
    readonly list: (
      document: DocumentKind,
      document_id: number,
      request: PageRequest
    ) => Effect.Effect<PageRows<DocumentDelivery>, never, CurrentOrganization>
  }
>()("invoicing/billing/sending/deliveries/DocumentDeliveries") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* DocumentDeliveriesRepo

      const list = Effect.fn("DocumentDeliveries.list")(function* (
        document: DocumentKind,
        document_id: number,
        request: PageRequest
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const key = { organization_id, document, document_id }
        const rows = yield* repo.list({ ...key, limit: limitOf(request), offset: offsetOf(request) })
        const { total } = yield* repo.count(key)
        return { rows: rows.map((row) => ({ ...deliveryOf(row), updated_at: row.changed_at })), total }
      })

      return DocumentDeliveries.of({ list })
    })
  ).pipe(Layer.provide(DocumentDeliveriesRepo.layer))
}

import { Context, Effect, Layer } from "effect"
import type { DocumentKind } from "../../kernel/DocumentKind.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import type { PrintedParties } from "../sealing/InvoiceSeal.ts"
import { CorrespondenceRepo } from "./CorrespondenceRepo.ts"
import type { Correspondents } from "./Correspondents.ts"

/** A printed document. */
export interface DocumentFile {
  /** Name for saving it, e.g. "INV-2026-0042.pdf": its number, or the reference of a draft. */
  readonly name: string
  readonly bytes: Uint8Array
}

interface Addressed {
  readonly id: number
  readonly customer_id: CustomerId
}

/**
 * Who a document of the current organization goes to, and whose letterhead it bears: on a draft as they are today, on
 * an issued document as they were when it was issued, since what a customer holds in hand does not change.
 */
export class Correspondence extends Context.Service<
  Correspondence,
  {
    readonly on: (
      kind: DocumentKind,
      document: Addressed,
      draft: boolean
    ) => Effect.Effect<Correspondents, never, CurrentOrganization>
    /**
     * Keeps both as they are now, and answers them. Part of the transaction that issues the document; a later issue
     * replaces them.
     */
    readonly keep: (
      kind: DocumentKind,
      document: Addressed
    ) => Effect.Effect<PrintedParties, never, CurrentOrganization>
  }
>()("invoicing/billing/printing/Correspondence") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CorrespondenceRepo

      const on: Correspondence["Service"]["on"] = Effect.fn("Correspondence.on")(function* (kind, document, draft) {
        return yield* repo.find({ ...(yield* key(kind, document)), draft })
      })

      const keep: Correspondence["Service"]["keep"] = Effect.fn("Correspondence.keep")(function* (kind, document) {
        return yield* repo.keep(yield* key(kind, document))
      })

      return Correspondence.of({ on, keep })
    })
  ).pipe(Layer.provide(CorrespondenceRepo.layer))
}

const key = (document: DocumentKind, { customer_id, id }: Addressed) =>
  Effect.map(CurrentOrganization, ({ id: organization_id }) => ({
    organization_id,
    document,
    document_id: id,
    customer_id
  }))

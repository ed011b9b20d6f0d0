import { Context, Effect, Layer } from "effect"
import type { DocumentKind } from "../../kernel/DocumentKind.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { CorrespondenceRepo } from "./CorrespondenceRepo.ts"
import type { Correspondents, PrintedParties } from "./Correspondents.ts"

export interface DocumentFile {
  /** File name, e.g. "INV-2026-0042.pdf": the document's number, or the reference of a draft. */
  readonly name: string
  readonly bytes: Uint8Array
}

interface Addressed {
  readonly id: number
  readonly customer_id: CustomerId
}

/**
 * Finds the parties to print on a document. An issued document shows their data from the time of issue, because a
 * document that a customer already holds must not change.
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
     * Stores and returns a snapshot of the parties' present data, which replaces any earlier snapshot of the document.
     * Must run in the transaction that issues the document.
     */
    readonly keep: (
      kind: DocumentKind,
      document: Addressed
    ) => Effect.Effect<PrintedParties, never, CurrentOrganization>
  }
>()("invoicing/billing/correspondence/Correspondence") {
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

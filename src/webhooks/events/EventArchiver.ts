import { Context, Effect, Layer, Option } from "effect"
import { EinvoicePapers } from "../../einvoicing/transmissions/EinvoicePapers.ts"
import { EinvoiceId } from "../../kernel/Ids.ts"
import type { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { type EventKey, messageOf } from "./Event.ts"
import { EventsRepo } from "./EventsRepo.ts"

/** Copies events about e-invoices into the archive, with exactly the bytes that webhooks get. */
export class EventArchiver extends Context.Service<
  EventArchiver,
  { readonly archive: (key: EventKey) => Effect.Effect<void, StorageUnavailable> }
>()("invoicing/webhooks/events/EventArchiver") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* EventsRepo
      const papers = yield* EinvoicePapers

      const archive = Effect.fn("EventArchiver.archive")(function* (key: EventKey) {
        const found = yield* repo.find(key)
        // Events are stored for 30 days. So this event is missing only if an operator retries the job later than that.
        if (Option.isNone(found)) return
        const id = EinvoiceId.make(found.value.record_id)
        yield* papers.keepEvent({ organization_id: key.organization_id, id }, messageOf(found.value).body)
      })

      return EventArchiver.of({ archive })
    })
  ).pipe(Layer.provide([EventsRepo.layer, EinvoicePapers.layer]))
}

import { Context, Effect, Layer, Option } from "effect"
import type { CounterpartyId } from "../../kernel/Ids.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { CounterpartiesRepo } from "./CounterpartiesRepo.ts"

/** Customers and vendors as bank lines name them, of the current organization. */
export class Counterparties extends Context.Service<
  Counterparties,
  {
    readonly exists: (id: CounterpartyId) => Effect.Effect<boolean, never, CurrentOrganization>
  }
>()("invoicing/banking/counterparties/Counterparties") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CounterpartiesRepo

      const exists = Effect.fn("Counterparties.exists")(function* (id: CounterpartyId) {
        const { id: organization_id } = yield* CurrentOrganization
        return Option.isSome(yield* repo.find({ organization_id, id }))
      })

      return Counterparties.of({ exists })
    })
  ).pipe(Layer.provide(CounterpartiesRepo.layer))
}

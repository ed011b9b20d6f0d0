import { Context, Effect, Layer, Option } from "effect"
import type { CustomerDeleted } from "../../customers/CustomerErrors.ts"
import { Customers } from "../../customers/Customers.ts"
import type { CurrentOrganization } from "../../platform/http/Security.ts"
import { Correspondence } from "../correspondence/Correspondence.ts"
import type { NumberTaken } from "../numbering/NumberTaken.ts"
import { type Numbered, DocumentNumbers } from "../numbering/DocumentNumbers.ts"
import type { QuoteFacts } from "./Quote.ts"

interface Issued {
  readonly facts: QuoteFacts
  /** The number assigned at issue; none when the quote already had a number. */
  readonly numbered: Option.Option<Numbered>
}

/** Issues quotes. An issued quote is no longer a draft and has a number, and its customer can no longer be deleted. */
export class QuoteIssuer extends Context.Service<
  QuoteIssuer,
  {
    /** The caller saves the result in the transaction that locked the draft. */
    readonly issue: (draft: QuoteFacts) => Effect.Effect<Issued, NumberTaken | CustomerDeleted, CurrentOrganization>
  }
>()("invoicing/billing/quotes/QuoteIssuer") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const customers = yield* Customers
      const numbering = yield* DocumentNumbers
      const correspondence = yield* Correspondence

      const issue = Effect.fn("QuoteIssuer.issue")(function* (draft: QuoteFacts) {
        yield* customers.keep(draft.customer_id)
        yield* correspondence.keep("quote", draft)
        if (draft.number !== null) return { facts: draft, numbered: Option.none() }
        const numbered = yield* numbering.take("quote", draft.issue_date)
        yield* numbering.requireFree("quote", numbered.number)
        return { facts: { ...draft, number: numbered.number }, numbered: Option.some(numbered) }
      })

      return QuoteIssuer.of({ issue })
    })
  ).pipe(Layer.provide([Customers.layer, DocumentNumbers.layer, Correspondence.layer]))
}

import { Schema } from "effect"
import { CounterpartyId } from "../../kernel/Ids.ts"

/** Whom money comes from or goes to: a customer, or a vendor that expenses name. */
export const Counterparty = Schema.Struct({
  id: CounterpartyId,
  name: Schema.String,
  type: Schema.Literals(["customer", "vendor"])
})
export type Counterparty = typeof Counterparty.Type

import { Schema } from "effect"
import { CounterpartyId } from "../../kernel/Ids.ts"

/** Whom money comes from or goes to: a customer, or a vendor that expenses name. */
export const Counterparty = Schema.Struct({
  id: CounterpartyId,
  name: Schema.String,
  type: Schema.Literals(["customer", "vendor"])
})
export type Counterparty = typeof Counterparty.Type

/** A vendor that only expenses have named has no id yet: who names it again makes it known. */
export const Party = Schema.Struct({ ...Counterparty.fields, id: Schema.NullOr(CounterpartyId) })
export type Party = typeof Party.Type

/** Who a bank line is likely to be from, or for; spec, Banking: by exact IBAN, else by a name that is alike. */
export const ResolvedParty = Schema.Struct({
  id: Schema.NullOr(CounterpartyId),
  type: Counterparty.fields.type,
  name: Schema.NullOr(Schema.String),
  match: Schema.Literals(["iban", "fuzzy", "none"]),
  /** 0 to 1; names alike in every word are 1, too. */
  confidence: Schema.Finite
})
export type ResolvedParty = typeof ResolvedParty.Type

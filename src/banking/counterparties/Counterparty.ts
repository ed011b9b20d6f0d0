import { Schema } from "effect"
import { CounterpartyId } from "../../kernel/Ids.ts"

/** A party that pays or is paid: a customer, or a vendor that expenses name. */
export const Counterparty = Schema.Struct({
  id: CounterpartyId,
  name: Schema.String,
  type: Schema.Literals(["customer", "vendor"])
})
export type Counterparty = typeof Counterparty.Type

/** A vendor has no id as long as only expenses name it; the first bank line that names it creates the id. */
export const Party = Schema.Struct({ ...Counterparty.fields, id: Schema.NullOr(CounterpartyId) })
export type Party = typeof Party.Type

/** The likely other party of a bank line. Spec, Banking: it is found by its exact IBAN, else by a similar name. */
export const ResolvedParty = Schema.Struct({
  id: Schema.NullOr(CounterpartyId),
  type: Counterparty.fields.type,
  name: Schema.NullOr(Schema.String),
  match: Schema.Literals(["iban", "fuzzy", "none"]),
  /** Ranges from 0 to 1; a name with exactly the same words has 1, as an equal IBAN has. */
  confidence: Schema.Finite
}).annotate({ identifier: "Counterparty" })
export type ResolvedParty = typeof ResolvedParty.Type

import { Schema } from "effect"
import { CounterpartyId } from "../../kernel/Ids.ts"
import { described } from "../../kernel/Described.ts"

export const Counterparty = Schema.Struct({
  id: CounterpartyId,
  name: Schema.String,
  type: Schema.Literals(["customer", "vendor"])
})
export type Counterparty = typeof Counterparty.Type

export const IbanOwner = Schema.Struct({ iban: Schema.String, ...Counterparty.fields })

/** A vendor that occurs only in expenses has no id, and gets one as soon as a bank line belongs to it. */
export const Party = Schema.Struct({ ...Counterparty.fields, id: Schema.NullOr(CounterpartyId) })
export type Party = typeof Party.Type

/** The party is found by the exact IBAN, or else by a similar name (rules/banking.md, Matching). */
export const ResolvedParty = Schema.Struct({
  id: Schema.NullOr(CounterpartyId),
  type: described(
    Counterparty.fields.type,
    "`customer` for a credit, `vendor` for a debit, unless only a party of the other type is found."
  ),
  name: described(Schema.NullOr(Schema.String), "Name of the party; null if it is unknown."),
  match: described(
    Schema.Literals(["iban", "fuzzy", "none"]),
    "How it was found. `iban`: by its IBAN; `fuzzy`: by a similar name; `none`: not found."
  ),
  confidence: described(
    Schema.Finite,
    "How sure the match is, from 0 to 1; an equal IBAN or exactly the same words give 1."
  )
}).annotate({ identifier: "Counterparty", description: "The likely other party of a bank transaction." })
export type ResolvedParty = typeof ResolvedParty.Type

import { Schema, Struct } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { Amount } from "../../kernel/Money.ts"
import { CreditNoteFacts } from "./CreditNote.ts"
import type { PrintedParties } from "../correspondence/Correspondents.ts"
import { sealer } from "../sealing/Sealer.ts"

/**
 * Fields that are not sealed: those of other records, and those that may change on a sent note, as
 * `migrations/0005_billing.sql` allows.
 */
const unsealed = ["customer", "original_invoice", "updated_at", "version", "external_id", "metadata"] as const

const fields = {
  ...Struct.omit(CreditNoteFacts.fields, unsealed),
  /** The amounts that the credit note takes from its invoice, as in `Allocation`. */
  shares: Schema.Array(Amount)
}

export const StoredCreditNote = Schema.Struct({
  ...fields,
  items: Schema.Json,
  tax_breakdown: Schema.Json,
  details: Schema.Json
})

const seal = sealer("credit_note", Schema.Struct(fields))
const sealStored = sealer("credit_note", StoredCreditNote)

type SealedCreditNote = CreditNoteFacts & Pick<typeof StoredCreditNote.Type, "shares">

export const creditNoteSeal = (organization_id: OrganizationId, facts: SealedCreditNote, parties: PrintedParties) =>
  seal(organization_id, facts, { ...parties })

export const storedCreditNoteSeal = (
  organization_id: OrganizationId,
  facts: typeof StoredCreditNote.Type,
  parties: PrintedParties
) => sealStored(organization_id, facts, { ...parties })

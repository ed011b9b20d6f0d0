import { BigDecimal, Effect, Schema } from "effect"
import { compiled } from "../../kernel/Compiled.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { jsonRecord } from "../../kernel/JsonRecord.ts"
import { canonicalJson, type Json } from "../../platform/events/CanonicalJson.ts"

/**
 * Makes a function that writes a record as RFC 8785 JSON: kind, organization, and the fields of `schema`. Empty fields
 * are left out, so that a column that is added later does not change older seals.
 */
export const sealer = <Facts extends object>(kind: string, schema: Schema.Codec<Facts, unknown>) => {
  const encode = jsonRecord(compiled(Schema.toType(schema)))
  return Effect.fnUntraced(function* (
    organization_id: OrganizationId,
    facts: Facts,
    further: Readonly<Record<string, Json>> = {}
  ) {
    const values = new Map<string, unknown>(Object.entries(facts))
    const told = Object.entries(yield* encode(facts)).filter(([name]) => !saysNothing(name, values.get(name)))
    return canonicalJson({ kind, organization_id, ...Object.fromEntries(told), ...further })
  })
}

/** Decimals that are sealed even if they are zero, because zero and null have different meanings in these fields. */
const telling_zeros = new Set(["exchange_rate", "tax_amount", "vat_deductible_percentage"])

/** True for values that a new column has in older records: null, false, zero money, empty lists, empty details. */
const saysNothing = (name: string, value: unknown): boolean => {
  if (name === "details" && typeof value === "object" && value !== null) return Object.keys(value).length === 0
  if (value === null || value === undefined || value === false) return true
  if (BigDecimal.isBigDecimal(value)) return BigDecimal.isZero(value) && !telling_zeros.has(name)
  return Array.isArray(value) && value.length === 0
}

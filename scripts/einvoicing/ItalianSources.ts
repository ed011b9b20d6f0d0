import { BigDecimal } from "effect"
import { price } from "../../src/billing/lines/Totals.ts"
import type { SourceDocument } from "../../src/einvoicing/sources/FromDocument.ts"
import type { Random } from "../support/Random.ts"

/** Adds the codes of a tender (CIG and CUP) to most documents, and split payment to half of them. */
export const forOffice = (random: Random, source: SourceDocument): SourceDocument => {
  const named = random.chance(0.9)
    ? { ...source, purchase_order: "Ordine 7 CIG Z1234567AB CUP J31B05000060001" }
    : source
  if (random.chance(0.5)) return named
  const items = source.items.map((item) => ({
    ...item,
    tax_exempt: true,
    tax_exemption_reason: "AE" as const,
    exemption_code: random.pick(["VATEX-IT-S-22", "VATEX-IT-S-10", "VATEX-IT-S-4"]),
    tax_rates: []
  }))
  const totals = price(items, source.currency)
  return { ...named, ...totals, paid: random.pick([BigDecimal.fromBigInt(0n), totals.total]) }
}

/** Replaces texts that FatturaPA cannot contain, because almost every random document has one. */
export const latinized = (source: SourceDocument): SourceDocument => ({
  ...source,
  notes: source.notes?.replace("😀", ":)") ?? null,
  items: source.items.map((item) => ({ ...item, description: item.description.replace("東京 – שלום", "Città – €") }))
})
